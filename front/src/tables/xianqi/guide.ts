// The rules for players, with worked examples.
import type { GuideExample, GuideModule } from "../contract";
import type { Type } from "./pieces";
import { messages, say } from "./words";
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
  named: (piece, lang) => (piece === null ? say("table.covered", lang) : say(`card.${piece as Type}`, lang)),
} satisfies GuideModule;
