// The sentences of xianqi, from the message files that Python reads too, and how pieces are named in them.

import en from "@qipai/games/xianqi/messages/en.json";
import ja from "@qipai/games/xianqi/messages/ja.json";
import zh from "@qipai/games/xianqi/messages/zh.json";
import type { Line, Value } from "../../lib/message";
import { sentences } from "../../lib/sentences";
import type { Lang, TableModule, Words } from "../contract";
import { isDogPair, listed, sizeOf, type Kind, type Type } from "./pieces";
import type { Cards } from "./types";

export const { messages, say } = sentences({ en, zh, ja });
export type Key = Parameters<typeof say>[0];

const everywhere = (key: Key): Words => ({ zh: say(key, "zh"), en: say(key, "en"), ja: say(key, "ja") });

export const PITCH = everywhere("pitch");

const KEY: [string, Key][] = [
  ["← →", "key.hand"],
  ["↑ ↓", "key.group"],
  ["1 – 8", "key.number"],
  ["Enter", "key.enter"],
  ["C", "key.cover"],
  ["Esc", "key.escape"],
  ["B", "key.buckle"],
  ["R", "key.reveal"],
  ["P", "key.pass"],
  ["O", "key.order"],
];
export const KEYS: TableModule["keys"] = KEY.map(([key, does]) => ({ key, does: everywhere(does) }));

const kindOf = (type: Type): Kind => type.slice(2) as Kind;

/** The character on the piece. */
export const face = (type: Type, lang: Lang): string => say(`face.${kindOf(type)}`, lang);

/** The piece's name without its colour, where it is not the character itself; else "". */
export function reading(type: Type, lang: Lang): string {
  const name = say(`card.${kindOf(type)}`, lang);
  return name === face(type, lang) ? "" : name;
}

export const seatValue = (seat: number): Value => ({ seat });

/** A piece by name: red shi. */
export const cardLine = (type: Type): Line => [`card.${type}`, {}];

/** A combo by name: a pair of red shi. */
export function comboLine(cards: Cards): Line {
  if (isDogPair(cards)) return ["cards.dog", {}];
  const type = listed(cards)[0];
  return type ? ["cards.combo", { card: cardLine(type), n: sizeOf(cards) }] : hiddenLine(0);
}

/** Covered pieces, which are no combo even when they are alike: two red niu and a black ma. */
export function coverLine(cards: Cards): Line {
  const types = [...new Set(listed(cards))];
  const parts = types.map((type): Line => ["cards.some", { card: cardLine(type), n: cards[type] ?? 0 }]);
  const last = parts.pop() ?? hiddenLine(0);
  return parts.length ? ["cards.and", { cards: { list: parts }, last }] : last;
}

/** A number of pieces that the reader does not see. */
export const hiddenLine = (n: number): Line => ["cards.hidden", { n }];

/** The chips of every seat as one value. */
export const chipsValue = (chips: number[]): Value => ({
  list: chips.map((n, seat): Line => ["log.chips", { seat: { seat }, chips: n }]),
});
