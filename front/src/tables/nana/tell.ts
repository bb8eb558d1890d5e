// Events in words, for the log, and why a game was won.

import type { GameEvent, Lang, Words } from "../contract";
import { isCentre, partners, placeOf, seatOf } from "./cards";
import type { NanaEvent, Slot, View } from "./types";
import { fill, whose, word } from "./words";

const LINES: Record<string, Words> = {
  start: { zh: "发牌，开始。", en: "The cards are dealt.", ja: "札が配られました。" },
  own: {
    zh: "{by}翻开自己的一张：{number}",
    en: "{by} turns up one of their own cards: {number}",
    ja: "{by}が自分の手札をめくる：{number}",
  },
  hand: {
    zh: "{by}翻开{whose}一张：{number}",
    en: "{by} turns up {whose} card: {number}",
    ja: "{by}が{whose}手札をめくる：{number}",
  },
  centre: {
    zh: "{by}翻开桌面第 {n} 张：{number}",
    en: "{by} turns up centre card {n}: {number}",
    ja: "{by}が場の{n}番をめくる：{number}",
  },
  fail: { zh: "没凑成，牌翻回去", en: "No match; the cards go back", ja: "そろわず、札は裏に戻る" },
  collect: { zh: "{by}收下三张 {number}", en: "{by} collects the three {number}s", ja: "{by}が{number}を三枚獲得" },
  win: { zh: "{by}获胜：{why}", en: "{by} wins: {why}", ja: "{by}の勝ち：{why}" },
  end: { zh: "本局没有胜者：{why}", en: "Nobody wins: {why}", ja: "勝者なし：{why}" },
};
const WHY: Record<string, Words> = {
  sevens: { zh: "三张 7", en: "the three sevens", ja: "7が三枚" },
  connected: { zh: "两组相连", en: "two connected trios", ja: "つながる二組" },
  "three-trios": { zh: "收满三组", en: "three trios", ja: "三組達成" },
  exhausted: { zh: "牌已收完", en: "no cards are left", ja: "札がなくなった" },
  cap: { zh: "到达回合上限", en: "the turn limit is reached", ja: "手番の上限に達した" },
};

/** One event in words; "" for what is not worth a line. */
export function tellEvent(event: GameEvent, lang: Lang, names: string[]): string {
  const told = event as unknown as NanaEvent;
  const kind = told.type ?? String(event.event);
  const slot = (event.slot as Slot | undefined) ?? "c0";
  const by = (event.by ?? event.player) as number | undefined;
  const key = kind !== "reveal" ? kind : isCentre(slot) ? "centre" : seatOf(slot) === by ? "own" : "hand";
  const line = LINES[key];
  if (!line) return "";
  return fill(line[lang], {
    by: by === undefined ? "" : (names[by] ?? ""),
    whose: isCentre(slot) ? "" : whose(names[seatOf(slot)] ?? "", lang),
    n: placeOf(slot) + 1,
    number: (event.number as number | undefined) ?? "",
    why: WHY[String(event.reason)]?.[lang] ?? "",
  });
}

/** Who won, or that nobody did. */
export function headline(view: View, lang: Lang, names: string[]): string {
  if (view.winner === null) return word("noWinner", lang);
  const name = names[view.winner] ?? "";
  return word("win", lang, { name }, name);
}

/** Why it ended so, with the numbers. */
export function reason(view: View, lang: Lang): string {
  const own = view.winner === null ? [] : (view.collections[view.winner] ?? []);
  if (view.win_reason === "sevens") return word("bySevens", lang);
  if (view.win_reason === "three-trios") return word("byThree", lang, { list: own.join(lang === "en" ? ", " : "、") });
  if (view.win_reason === "connected") {
    const last = own.at(-1)!;
    const other = partners(last, own)[0]!;
    const [a, b] = [Math.min(last, other), Math.max(last, other)];
    return word("byConnected", lang, { a, b, sum: a + b === 7 ? `${a} + ${b} = 7` : `${b} − ${a} = 7` });
  }
  return view.end === "cap" ? word("byCap", lang, { n: view.max_turns }) : word("byExhausted", lang);
}
