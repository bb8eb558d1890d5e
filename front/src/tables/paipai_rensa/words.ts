// The sentences of Paipai Rensa, from the same files as the server's.

import en from "@qipai/games/paipai_rensa/messages/en.json";
import ja from "@qipai/games/paipai_rensa/messages/ja.json";
import zh from "@qipai/games/paipai_rensa/messages/zh.json";
import type { Line, Reader, Values } from "../../lib/message";
import { sentences } from "../../lib/sentences";
import type { Lang, Words } from "../contract";
import type { Code } from "./types";

const { messages, say } = sentences({ en, zh, ja });
export { messages };

export type Word = keyof typeof en;
export type Say = (word: Word, values?: Values) => string;

/** Sentences for one reader. */
export const speaker =
  (lang: Lang, reader: Reader = {}): Say =>
  (word, values = {}) =>
    say(word, lang, values, reader);

/** A text without values, in every language. */
export const everywhere = (word: Word): Words => ({ zh: say(word, "zh"), en: say(word, "en"), ja: say(word, "ja") });

/** The seat that plays, as a value. */
export const PLAYER = { seat: 0 };

/** A tile's name, as a value. */
export const tile = (code: Code): Line => [`tile.${code}`, {}];

/** Several tiles' names, as a value. */
export const tiles = (codes: Code[]): { list: Line[] } => ({ list: codes.map(tile) });

const WHERE = ["up", "right", "down", "left"] as const;

/** Where the rotor is, seen from the axis, as a value. */
export const where = (r: number): Line => [`log.where.${WHERE[r]!}`, {}];
