// The rules for players, with worked examples.
import type { GuideExample, GuideModule } from "../contract";
import Board from "./GuideBoard.svelte";
import type { CardId } from "./types";
import { cardName, messages, say } from "./words";
import en from "./guide/en.md?raw";
import ja from "./guide/ja.md?raw";
import zh from "./guide/zh.md?raw";
import examples from "./guide.json";
import Piece from "./GuidePiece.svelte";

export default {
  texts: { en, zh, ja },
  examples: examples as unknown as Record<string, GuideExample>,
  messages,
  Piece,
  Board,
  named: (piece, lang) =>
    piece === "black" || piece === "white"
      ? say(`colour.${piece}`, lang)
      : piece === null
        ? ""
        : cardName(piece as CardId, lang),
} satisfies GuideModule;
