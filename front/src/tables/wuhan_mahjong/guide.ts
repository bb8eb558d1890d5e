// The rules for players, with worked examples.
import type { GuideExample, GuideModule } from "../contract";
import { tileName } from "./tiles";
import { messages, word } from "./words";
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
  named: (piece, lang) => (piece === null ? word("table.hidden", lang) : tileName(piece.split(":")[0]!, lang)),
} satisfies GuideModule;
