// Every word of the NANA table in Chinese, English and Japanese; sentences for events are in tell.ts.

import type { Lang, TableModule, Words } from "../contract";

export const PITCH: Words = {
  zh: "记住翻过的牌，从排好序的手牌两端和桌面找出三张相同；三张 7 立即获胜。",
  en: "Remember what was turned up, find three of a kind in sorted hands; three sevens win at once.",
  ja: "めくられた札を覚え、並んだ手札の両端と場から同じ数字を三枚そろえる。7が三枚なら即勝利。",
};

export const KEYS: TableModule["keys"] = [
  { key: "← → ↑ ↓", does: { zh: "在牌之间移动", en: "move between cards", ja: "札の間を移動" } },
  { key: "Enter", does: { zh: "翻开选中的牌", en: "turn up the card", ja: "選んだ札をめくる" } },
  {
    key: "A / D",
    does: { zh: "翻自己最小／最大的牌", en: "turn up your lowest / highest", ja: "自分の最小／最大をめくる" },
  },
  {
    key: "Q W · E R · T Y · U I · O P",
    does: {
      zh: "翻其他人的最小、最大牌（从左到右每人一对键）",
      en: "lowest and highest of the others, a pair of keys each, from the left",
      ja: "ほかの人の最小・最大をめくる（左から順に二つずつ）",
    },
  },
  { key: "1 – 9, 0", does: { zh: "翻桌面第几张牌", en: "turn up that centre card", ja: "場のその番号の札をめくる" } },
  { key: "G", does: { zh: "看怎么赢", en: "how to win", ja: "勝ち方を見る" } },
  { key: "Esc", does: { zh: "关闭窗口", en: "close a sheet", ja: "窓を閉じる" } },
];

export const YOU: Words = { zh: "你", en: "You", ja: "あなた" };

/** The names with the viewer's replaced by "you". */
export const withYou = (names: string[], seat: number, lang: Lang): string[] =>
  names.map((name, k) => (k === seat ? YOU[lang] : name));

/** Whose hand it is: "your", "Lan's". */
export function whose(name: string, lang: Lang): string {
  if (lang !== "en") return lang === "zh" ? `${name}的` : `${name}の`;
  return name === YOU.en ? "your" : `${name}’s`;
}

/** Puts `values` into the braces; [do|does] takes the first form when the subject is "You". */
export function fill(text: string, values: Record<string, string | number>, subject = ""): string {
  const full = text.replace(/\{(\w+)\}/g, (_, key: string) => String(values[key] ?? ""));
  return full.replace(/\[([^|\]]*)\|([^\]]*)\]/g, (_, you: string, they: string) => (subject === YOU.en ? you : they));
}

export const signed = (n: number): string => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0");

/** Numbers in a row: "2, 5 or 9". */
export function either(numbers: number[], lang: Lang): string {
  if (lang !== "en") return numbers.join(lang === "zh" ? "、" : "・");
  return numbers.length < 2 ? numbers.join() : `${numbers.slice(0, -1).join(", ")} or ${numbers.at(-1)!}`;
}

const TABLE = {
  table: { zh: "NANA 牌桌", en: "NANA table", ja: "NANAの卓" },
  centre: { zh: "桌面的牌", en: "Centre cards", ja: "場の札" },
  hand: { zh: "{whose}手牌，{n} 张", en: "{whose} hand, {n} cards", ja: "{whose}手札、{n}枚" },
  low: { zh: "小", en: "low", ja: "小" },
  high: { zh: "大", en: "high", ja: "大" },
  // a card by name
  cardLow: { zh: "{whose}最小的牌", en: "{whose} lowest card", ja: "{whose}最小の札" },
  cardHigh: { zh: "{whose}最大的牌", en: "{whose} highest card", ja: "{whose}最大の札" },
  cardOnly: { zh: "{whose}剩下的暗牌", en: "{whose} only hidden card", ja: "{whose}残る一枚の札" },
  cardMiddle: { zh: "{whose}第 {n} 张牌", en: "{whose} card {n}", ja: "{whose}{n}枚目の札" },
  cardCentre: { zh: "桌面第 {n} 张牌", en: "centre card {n}", ja: "場の{n}番の札" },
  isDown: { zh: "暗牌", en: "face down", ja: "裏向き" },
  isUp: { zh: "已翻开：{n}", en: "face up: {n}", ja: "表向き：{n}" },
  isOwn: { zh: "是 {n}", en: "a {n}", ja: "数字は{n}" },
  isSeen: { zh: "翻开过：{n}", en: "was shown: {n}", ja: "前に見えた数字：{n}" },
  seenByAll: { zh: "大家都见过", en: "everyone has seen it", ja: "全員が見た札" },
  isTaken: { zh: "桌面第 {n} 张：已被收走", en: "centre card {n}: collected", ja: "場の{n}番：取られた" },
  isLast: { zh: "上一次翻过", en: "shown in the last try", ja: "直前にめくられた" },
  // what is asked
  askFirst: {
    zh: "轮到你：翻一张牌。可以翻任何人最小或最大的一张（自己的也行），或桌面一张。",
    en: "Your turn: turn up a card. The lowest or highest of any hand, your own too, or one in the centre.",
    ja: "あなたの番：一枚めくりましょう。誰かの手札（自分も可）の最小か最大、または場の一枚です。",
  },
  askAgain: {
    zh: "收下三张 {n}，你接着翻！",
    en: "The three {n}s are yours, and it is your turn again!",
    ja: "{n}を三枚獲得！ 続けてあなたの番です。",
  },
  look2: { zh: "正在找 {n}：还差两张。", en: "Looking for {n}: two more.", ja: "{n}を探しています：あと二枚。" },
  look1: { zh: "正在找 {n}：还差一张！", en: "Looking for {n}: one more!", ja: "{n}を探しています：あと一枚！" },
  their2: {
    zh: "{name}在找 {n}：还差两张。",
    en: "{name} [look|looks] for {n}: two more.",
    ja: "{name}は{n}を探しています：あと二枚。",
  },
  their1: {
    zh: "{name}在找 {n}：还差一张！",
    en: "{name} [look|looks] for {n}: one more!",
    ja: "{name}は{n}を探しています：あと一枚！",
  },
  theirTurn: { zh: "轮到{name}翻牌。", en: "{name} [are|is] to turn up a card.", ja: "{name}の番です。" },
  missed: {
    zh: "没凑成，牌翻回去了。",
    en: "No match; the cards are face down again.",
    ja: "そろわず、札は裏に戻りました。",
  },
  failing: {
    zh: "{n} 不是 {first}：没凑成，记住它们！",
    en: "{n} is not {first}: no match. Remember them!",
    ja: "{first}ではなく{n}。そろいません。覚えておきましょう！",
  },
  taking: { zh: "三张 {n}！归{name}。", en: "Three {n}s! {name} [take|takes] them.", ja: "{n}が三枚！ {name}が獲得。" },
  // why not
  whyMiddle: {
    zh: "只能翻一手牌的两端：最小或最大的那张暗牌。中间的要等两端先翻开。",
    en: "Only the ends of a hand: its lowest or highest hidden card. The middle has to wait.",
    ja: "めくれるのは手札の両端（伏せた札の最小か最大）だけ。真ん中はまだです。",
  },
  whyUp: { zh: "这张已经翻开了。", en: "This card is face up already.", ja: "この札はもう表になっています。" },
  whyTurn: {
    zh: "还没轮到你，现在{name}在翻牌。",
    en: "Not your turn yet: {name} is playing.",
    ja: "まだあなたの番ではありません。今は{name}の番です。",
  },
  whyWait: { zh: "请稍等。", en: "One moment.", ja: "少しお待ちください。" },
  whyOver: { zh: "本局已经结束。", en: "The game is over.", ja: "ゲームは終わりました。" },
  whyWatch: { zh: "你在旁观。", en: "You are watching.", ja: "観戦中です。" },
  // collections and the aim
  trios: { zh: "{whose}收集", en: "{whose} trios", ja: "{whose}獲得札" },
  none: { zh: "还没有", en: "none yet", ja: "まだなし" },
  goal: { zh: "怎么赢", en: "How to win", ja: "勝ち方" },
  goalLead: {
    zh: "一回合里连翻三张相同的数字，就收下这一组。翻错就结束，牌翻回去。",
    en: "Turn up three cards of one number in a row and the trio is yours. A wrong card ends the turn, and all go back face down.",
    ja: "一つの番で同じ数字を三枚続けてめくれば獲得。違う数字が出たら番は終わり、札は裏に戻ります。",
  },
  goalWins: {
    zh: "先做到其中一样就赢：",
    en: "The first to have one of these wins at once:",
    ja: "先にどれか一つを達成した人の勝ち：",
  },
  goalSevens: { zh: "三张 7", en: "the three sevens", ja: "7を三枚" },
  goalConnected: {
    zh: "两组相连的数字：和或差是 7",
    en: "two connected trios: sum or difference 7",
    ja: "つながる二組：和か差が7",
  },
  goalThree: { zh: "任意三组", en: "any three trios", ja: "どれでも三組" },
  modeNana: {
    zh: "标准规则：三种赢法都算。",
    en: "Standard game: all three ways count.",
    ja: "標準ルール：三つの勝ち方すべて有効。",
  },
  modeSimple: {
    zh: "简单规则：相连不算赢。",
    en: "Simple game: connected trios do not count.",
    ja: "シンプル：つながる二組では勝てません。",
  },
  modeSpicy: {
    zh: "辛辣规则：三组不算，只看 7 和相连。",
    en: "Spicy game: three trios do not win; only sevens or connected trios.",
    ja: "スパイシー：三組では勝てず、7かつながる二組だけ。",
  },
  goalContinue: {
    zh: "收下一组后，同一人接着翻。",
    en: "Whoever collects a trio goes on.",
    ja: "獲得した人は続けてめくります。",
  },
  goalPass: { zh: "收下一组后，轮到下家。", en: "After a trio the move passes on.", ja: "獲得したら次の人の番です。" },
  goalNow: { zh: "谁再收什么就赢", en: "Who wins with what now", ja: "次に何を取れば勝ちか" },
  any: { zh: "任何一组", en: "any trio", ja: "どれでも" },
  aidOn: {
    zh: "记忆辅助已开：翻开过的数字淡淡留在牌背上。",
    en: "Memory aid is on: numbers that were shown stay faintly on the backs.",
    ja: "記憶補助あり：見えた数字が裏面に薄く残ります。",
  },
  close: { zh: "关闭", en: "Close", ja: "閉じる" },
  // the end
  seeTable: { zh: "看看牌桌", en: "See the table", ja: "卓を見る" },
  result: { zh: "结果", en: "Result", ja: "結果" },
  win: { zh: "{name}赢了！", en: "{name} [win|wins]!", ja: "{name}の勝ち！" },
  noWinner: { zh: "本局没有胜者", en: "Nobody wins", ja: "勝者なし" },
  bySevens: {
    zh: "收齐了三张 7：立即获胜。",
    en: "All three sevens: that wins at once.",
    ja: "7を三枚そろえて即勝利です。",
  },
  byThree: { zh: "收满三组：{list}。", en: "Three trios: {list}.", ja: "三組そろいました：{list}。" },
  byConnected: {
    zh: "{a} 和 {b} 两组相连：{sum}。",
    en: "The {a}s and the {b}s are connected: {sum}.",
    ja: "{a}と{b}の二組がつながります：{sum}。",
  },
  byCap: { zh: "到达回合上限（{n}）。", en: "The turn limit ({n}) is reached.", ja: "手番の上限（{n}）に達しました。" },
  byExhausted: { zh: "牌已经收完。", en: "No cards are left.", ja: "札がなくなりました。" },
  pays: {
    zh: "其他人各付赢家 1 分。",
    en: "Everyone else pays the winner 1 point.",
    ja: "ほかの人は勝者に1点ずつ払います。",
  },
  noPay: { zh: "谁也不得分。", en: "No points change hands.", ja: "点の移動はありません。" },
  points: { zh: "分", en: "Points", ja: "点" },
  collected: { zh: "收集", en: "Collected", ja: "獲得" },
} satisfies Record<string, Words>;

export type Word = keyof typeof TABLE;

/** A word of the table with its values filled in. */
export const word = (key: Word, lang: Lang, values: Record<string, string | number> = {}, subject = ""): string =>
  fill(TABLE[key][lang], values, subject);
