// What a tile's code says: suit, number, place in the listing order, name in words.

import type { Code } from "./types";
import { tiles, type Say, type Word } from "./words";

export type Suit = "m" | "p" | "s" | "z";
const SUITS = "mpsz";
const HONOURS = "ESWNPFC";
export const NUMERALS = "一二三四五六七八九";
export const HONOUR_SIGNS: Record<string, string> = { E: "東", S: "南", W: "西", N: "北", P: "白", F: "發", C: "中" };

export const suitOf = (code: Code): Suit => code[0] as Suit;
export const isRed = (code: Code): boolean => code[1] === "0";
export const numberOf = (code: Code): number => (isRed(code) ? 5 : Number(code[1]));

/** The place in a listing: man, pin, sou, honours; a red five before the plain ones. */
function place(code: Code): number {
  const suit = SUITS.indexOf(code[0]!);
  return 20 * suit + (suit === 3 ? HONOURS.indexOf(code[1]!) : 2 * numberOf(code) - Number(isRed(code)));
}

export const order = (a: Code, b: Code): number => place(a) - place(b);
export const sorted = (codes: Code[]): Code[] => [...codes].sort(order);

export const nameOf = (code: Code, say: Say): string => say(`tile.${code}` as Word);
export const namesOf = (codes: Code[], say: Say): string => say("tiles", { tiles: tiles(codes) });
