// What a tile's code says: suit, number, place in the listing order, name in words.

import type { Lang } from "../contract";
import type { Code } from "./types";

export type Suit = "m" | "p" | "s" | "z";
const HONOURS = "ESWNPFC";
export const NUMERALS = "一二三四五六七八九";
export const HONOUR_SIGNS: Record<string, string> = { E: "東", S: "南", W: "西", N: "北", P: "白", F: "發", C: "中" };
const HONOUR_NAMES: Record<Lang, string[]> = {
  zh: ["东", "南", "西", "北", "白", "发", "中"],
  en: ["East", "South", "West", "North", "White", "Green", "Red"],
  ja: ["東", "南", "西", "北", "白", "發", "中"],
};
const SUIT_NAMES: Record<Lang, Record<string, string>> = {
  zh: { m: "万", p: "筒", s: "索" },
  en: { m: "man", p: "pin", s: "sou" },
  ja: { m: "萬", p: "筒", s: "索" },
};

export const suitOf = (code: Code): Suit => code[0] as Suit;
export const isRed = (code: Code): boolean => code[1] === "0";
export const numberOf = (code: Code): number => (isRed(code) ? 5 : Number(code[1]));

/** 0 to 33: man, pin, sou, honours. */
export function kindOf(code: Code): number {
  const suit = "mpsz".indexOf(code[0]!);
  return suit === 3 ? 27 + HONOURS.indexOf(code[1]!) : 9 * suit + numberOf(code) - 1;
}

/** A plain tile of a kind. */
export function codeOf(kind: number): Code {
  return kind >= 27 ? `z${HONOURS[kind - 27]}` : `${"mps"[Math.floor(kind / 9)]}${(kind % 9) + 1}`;
}

/** Man, pin, sou, honours; a red five after the plain ones. */
export const order = (a: Code, b: Code): number => kindOf(a) - kindOf(b) || Number(isRed(a)) - Number(isRed(b));
export const sorted = (codes: Code[]): Code[] => [...codes].sort(order);

export function nameOf(code: Code, lang: Lang): string {
  if (suitOf(code) === "z") return HONOUR_NAMES[lang][HONOURS.indexOf(code[1]!)]!;
  const suit = SUIT_NAMES[lang][code[0]!]!;
  const red = { zh: "红", en: "red ", ja: "赤" }[lang];
  const name = lang === "en" ? `${numberOf(code)} ${suit}` : `${NUMERALS[numberOf(code) - 1]}${suit}`;
  return (isRed(code) ? red : "") + name;
}

export function namesOf(codes: Code[], lang: Lang): string {
  return codes.map((c) => nameOf(c, lang)).join(lang === "en" ? ", " : "、");
}
