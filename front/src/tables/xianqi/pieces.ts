// The pieces and the numbers of the actions (docs/games/xianqi.md); powers and what is legal come from the view.

import type { Cards } from "./types";

export const TYPES = [
  "R_SHI",
  "B_SHI",
  "R_XIANG",
  "B_XIANG",
  "R_MA",
  "B_MA",
  "R_CHE",
  "B_CHE",
  "R_GOU",
  "B_GOU",
  "R_NIU",
  "B_NIU",
] as const;
export type Type = (typeof TYPES)[number];
export type Kind = "SHI" | "XIANG" | "MA" | "CHE" | "GOU" | "NIU";

export const BUCKLE = 25;
export const REVEAL = 26;
export const PASS = 27;
export const UNDER = 28;
export const DOG_PAIR = 12;

const SINGLES: Type[] = [
  "R_SHI",
  "B_SHI",
  "R_XIANG",
  "B_XIANG",
  "R_MA",
  "B_MA",
  "R_CHE",
  "R_GOU",
  "B_CHE",
  "B_GOU",
  "R_NIU",
  "B_NIU",
];
const PAIRS: Type[] = ["R_SHI", "B_SHI", "R_XIANG", "B_XIANG", "R_MA", "B_MA", "R_CHE", "B_CHE", "R_NIU", "B_NIU"];

/** What each play lays down, by action number. */
export const PLAYS: Cards[] = [
  ...SINGLES.map((type) => ({ [type]: 1 })),
  { R_GOU: 1, B_GOU: 1 },
  ...PAIRS.map((type) => ({ [type]: 2 })),
  { R_NIU: 3 },
  { B_NIU: 3 },
];

export const isPlay = (action: number): boolean => action < PLAYS.length;
export const isGou = (type: Type): boolean => type === "R_GOU" || type === "B_GOU";
export const isRed = (type: Type): boolean => type[0] === "R";

/** The cards one by one, strong before weak. */
export const listed = (cards: Cards): Type[] => TYPES.flatMap((type) => Array<Type>(cards[type] ?? 0).fill(type));
export const sizeOf = (cards: Cards): number => listed(cards).length;
export const isDogPair = (cards: Cards): boolean => sizeOf(cards) === 2 && cards.R_GOU === 1 && cards.B_GOU === 1;

/** The single, pair or triple of `type`, by action number; -1 where there is none. */
export function playOf(type: Type, size: number): number {
  return PLAYS.findIndex((cards, action) => action !== DOG_PAIR && cards[type] === size);
}

/** The power of a single piece, from the powers of all plays. */
export const powerOf = (powers: number[], type: Type): number => powers[playOf(type, 1)] ?? 0;
