// The pieces and the numbers of the actions (docs/games/xianqi.md); which of them are legal comes from the server.

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

export const POWER: Record<Type, number> = {
  R_SHI: 9,
  B_SHI: 8,
  R_XIANG: 7,
  B_XIANG: 6,
  R_MA: 5,
  B_MA: 4,
  R_CHE: 3,
  B_CHE: 2,
  R_GOU: 3,
  B_GOU: 2,
  R_NIU: 1,
  B_NIU: 0,
};

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
export const isRed = (type: Type): boolean => type[0] === "R";

/** The cards one by one, strong before weak. */
export const listed = (cards: Cards): Type[] => TYPES.flatMap((type) => Array<Type>(cards[type] ?? 0).fill(type));
export const sizeOf = (cards: Cards): number => listed(cards).length;
export const isDogPair = (cards: Cards): boolean => sizeOf(cards) === 2 && cards.R_GOU === 1 && cards.B_GOU === 1;

/** The single, pair or triple of `type`, by action number; -1 where there is none. */
export function playOf(type: Type, size: number): number {
  return PLAYS.findIndex((cards, action) => action !== DOG_PAIR && cards[type] === size);
}

/** The power of a combo; the dog pair's depends on the table's option. */
export function powerOf(cards: Cards, options: Record<string, string | number>): number {
  if (isDogPair(cards)) return options["dog_pair"] === "equal_red_shi" ? 9 : 10;
  const all = listed(cards);
  const type = all[0]!;
  return all.length === 3 ? (type === "R_NIU" ? 11 : 10) : POWER[type];
}
