// Every word of the xianqi table in Chinese, English and Japanese; sentences for events are in tell.ts.

import type { Lang, TableModule, Words } from "../contract";
import { isDogPair, isRed, listed, sizeOf, type Type } from "./pieces";
import type { Cards } from "./types";

export const PITCH: Words = {
  zh: "三人抢柱：大的压小的，赢够三柱就敢“扣”，不服的人可以“掀”。",
  en: "Three players, 24 chess pieces: win pillars, then dare the others to play on.",
  ja: "三人で柱を奪い合う。三柱そろえば「扣」で止め、納得しなければ「掀」で続行。",
};

export const KEYS: TableModule["keys"] = [
  { key: "← →", does: { zh: "在手牌间移动", en: "move along the hand", ja: "手駒の間を移動" } },
  {
    key: "↑ ↓",
    does: {
      zh: "在棋子与“对／三个”之间移动",
      en: "move between pieces and their pair or triple",
      ja: "駒と「対・三枚」の間を移動",
    },
  },
  { key: "1 – 8", does: { zh: "选第几个棋子", en: "choose that piece of the hand", ja: "その番号の駒を選ぶ" } },
  { key: "Enter", does: { zh: "出棋、选垫、按下按钮", en: "play, pick or press", ja: "出す・選ぶ・押す" } },
  { key: "C", does: { zh: "确认垫棋", en: "confirm a cover", ja: "伏せを確定" } },
  { key: "Esc", does: { zh: "取消已选，关闭窗口", en: "undo picks, close a sheet", ja: "選択の取り消し、窓を閉じる" } },
  { key: "B", does: { zh: "扣棋", en: "buckle", ja: "扣（止める）" } },
  { key: "R", does: { zh: "掀棋", en: "reveal", ja: "掀（続ける）" } },
  { key: "P", does: { zh: "不掀，不扣", en: "pass", ja: "パス" } },
  { key: "O", does: { zh: "看大小顺序", en: "show the order of the pieces", ja: "強さの順を見る" } },
];

const LATIN: Record<string, string> = { SHI: "shi", XIANG: "xiang", MA: "ma", CHE: "che", GOU: "gou", NIU: "niu" };
const FACE: Record<string, string> = { SHI: "士", XIANG: "相", MA: "马", CHE: "车", GOU: "狗", NIU: "牛" };
const FACE_JA: Record<string, string> = { ...FACE, MA: "馬", CHE: "車" };

/** The character on the piece. */
export const face = (type: Type, lang: Lang): string => (lang === "ja" ? FACE_JA : FACE)[type.slice(2)]!;
export const latin = (type: Type): string => LATIN[type.slice(2)]!;

export function pieceName(type: Type, lang: Lang): string {
  if (lang === "en") return `${isRed(type) ? "red" : "black"} ${latin(type)}`;
  if (lang === "ja") return `${isRed(type) ? "赤" : "黒"}${face(type, lang)}`;
  return `${isRed(type) ? "红" : "黑"}${face(type, lang)}`;
}

/** A combo by name: a pair of red shi, 一对红士, 赤士の対. */
export function comboName(cards: Cards, lang: Lang): string {
  if (isDogPair(cards)) return { zh: "狗脚对", en: "the dog pair", ja: "狗の対" }[lang];
  const type = listed(cards)[0]!;
  const name = pieceName(type, lang);
  const size = sizeOf(cards);
  if (lang === "en") return [`a ${name}`, `a pair of ${name}`, `three ${name}`][size - 1]!;
  if (lang === "ja") return [name, `${name}の対`, `${name}三枚`][size - 1]!;
  return [name, `一对${name}`, `三个${name}`][size - 1]!;
}

/** Pieces put under, which are no combo even when they are alike. */
export function coverName(cards: Cards, lang: Lang): string {
  const names = listed(cards).map((type) => pieceName(type, lang));
  return lang === "en" ? names.join(" and ") : names.join(lang === "ja" ? "・" : "、");
}

export const YOU: Words = { zh: "你", en: "You", ja: "あなた" };

/** The names with the viewer's replaced by "you". */
export const withYou = (names: string[], seat: number, lang: Lang): string[] =>
  names.map((name, k) => (k === seat ? YOU[lang] : name));

/** An English name inside a sentence. */
export const inside = (name: string): string => (name === YOU.en ? "you" : name);

/** Puts `values` into the braces; [do|does] takes the first form when the subject is "You". */
export function fill(text: string, values: Record<string, string | number>, subject = ""): string {
  const full = text.replace(/\{(\w+)\}/g, (_, key: string) => String(values[key] ?? ""));
  return full.replace(/\[([^|\]]*)\|([^\]]*)\]/g, (_, you: string, they: string) => (subject === YOU.en ? you : they));
}

export const signed = (n: number): string => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0");

export function counted(n: number, thing: "pillar" | "chip" | "piece", lang: Lang): string {
  if (lang === "en") return `${n} ${thing}${n === 1 ? "" : "s"}`;
  if (lang === "ja") return `${n}${{ pillar: "柱", chip: "点", piece: "枚" }[thing]}`;
  return `${n}${{ pillar: "柱", chip: "个筹码", piece: "个" }[thing]}`;
}

const TABLE = {
  hand: { zh: "手牌", en: "Your hand", ja: "手駒" },
  table: { zh: "掀棋桌", en: "Xianqi table", ja: "掀棋の卓" },
  trick: { zh: "本回合", en: "This round", ja: "このラウンド" },
  lastRound: { zh: "上一回合", en: "Last round", ja: "前のラウンド" },
  wonBy: { zh: "{name}赢{n}", en: "{name} won {n}", ja: "{name}が{n}獲得" },
  best: { zh: "最大", en: "best", ja: "最強" },
  covered: { zh: "垫", en: "covered", ja: "伏せ" },
  power: { zh: "牌力{n}", en: "power {n}", ja: "強さ{n}" },
  turn: { zh: "思考中", en: "thinking", ja: "考え中" },
  pieces: { zh: "手中{n}个棋子", en: "{n} pieces in hand", ja: "手駒{n}枚" },
  pillars: { zh: "{n}柱", en: "{n} pillars", ja: "{n}柱" },
  enough: { zh: "够", en: "enough", ja: "够" },
  ceramic: { zh: "瓷", en: "ceramic", ja: "瓷" },
  enoughAbout: {
    zh: "三柱为够：不足三柱的每家付 1 个",
    en: "3 pillars are enough: each seat below 3 pays 1",
    ja: "三柱で「够」：三柱未満の各席から1点",
  },
  ceramicAbout: {
    zh: "六柱成瓷：不足三柱的每家付 3 个",
    en: "6 pillars are ceramic: each seat below 3 pays 3",
    ja: "六柱で「瓷」：三柱未満の各席から3点",
  },
  tagBuckle: { zh: "扣", en: "buckled", ja: "扣" },
  tagBuckleAbout: { zh: "扣棋：提议到此为止", en: "has buckled: offers to stop here", ja: "扣を宣言：ここで止めたい" },
  tagAsked: { zh: "被问", en: "asked", ja: "問われ中" },
  tagAskedAbout: { zh: "要回答掀不掀", en: "must answer: reveal or pass", ja: "掀か否かを答える番" },
  tagFirst: { zh: "先问", en: "asked first", ja: "先に問う" },
  tagFirstAbout: {
    zh: "最近掀过棋，下次扣棋先问这一家",
    en: "revealed last: asked first at the next buckle",
    ja: "直近に掀した席：次の扣で先に問われる",
  },
  tagRevealed: { zh: "掀{name}", en: "revealed {name}", ja: "{name}に掀" },
  tagRevealedAbout: {
    zh: "掀过{name}的扣：终局不足三柱要付{name} 1 个",
    en: "revealed against {name}: pays {name} 1 chip if below 3 pillars at the end",
    ja: "{name}の扣を掀：最後に三柱未満なら{name}へ1点",
  },
  tagBarred: { zh: "禁收", en: "barred", ja: "受取なし" },
  tagBarredAbout: {
    zh: "不收够棋的筹码（除非成瓷）",
    en: "collects no chips for enough, unless ceramic",
    ja: "够の点は受け取れない（瓷なら別）",
  },
  pair: { zh: "对", en: "pair", ja: "対" },
  triple: { zh: "三个", en: "three", ja: "三枚" },
  dog: { zh: "狗脚对", en: "dog pair", ja: "狗の対" },
  play: { zh: "出{cards}", en: "Play {cards}", ja: "{cards}を出す" },
  putUnder: { zh: "垫{cards}", en: "Cover {cards}", ja: "{cards}を伏せる" },
  pick: { zh: "选来垫", en: "pick it to cover", ja: "伏せ駒に選ぶ" },
  tapAgain: { zh: "再点一次：{what}", en: "Tap again: {what}", ja: "もう一度タップ：{what}" },
  cover: { zh: "垫下 {have}/{need}", en: "Cover {have}/{need}", ja: "伏せる {have}/{need}" },
  undo: { zh: "重选", en: "Undo", ja: "選び直す" },
  buckleLong: { zh: "扣棋：到此为止？", en: "Buckle: stop here?", ja: "扣：ここで止める？" },
  noBuckle: { zh: "不扣，出棋", en: "No: lead", ja: "扣せず出す" },
  revealLong: { zh: "掀：继续打！", en: "Reveal: play on!", ja: "掀：続けよう！" },
  passLong: { zh: "不掀：就此结束", en: "Pass: let it end", ja: "パス：ここで終わり" },
  passNext: { zh: "不掀：再问{name}", en: "Pass: ask {name}", ja: "パス：次は{name}" },
  pass: { zh: "不掀", en: "pass", ja: "パス" },
  passOpen: { zh: "不扣", en: "no buckle", ja: "扣せず" },
  stampBuckle: { zh: "扣", en: "扣 buckle", ja: "扣" },
  stampReveal: { zh: "掀", en: "掀 reveal", ja: "掀" },
  ranks: { zh: "大小", en: "Order", ja: "強さ" },
  ranksTitle: { zh: "谁大谁小", en: "What beats what", ja: "強さの順" },
  ranksSingle: { zh: "单张", en: "One piece", ja: "一枚" },
  ranksPair: {
    zh: "对子：同样的两个；狗脚对最大",
    en: "Pairs of one kind; the dog pair is on top",
    ja: "対：同じ駒二枚。狗の対が最強",
  },
  ranksPairEqual: {
    zh: "对子：同样的两个；狗脚对与红士对一样大",
    en: "Pairs of one kind; the dog pair equals the red shi",
    ja: "対：同じ駒二枚。狗の対は赤士の対と同じ強さ",
  },
  ranksTriple: { zh: "三个牛：三红牛大于三黑牛", en: "Three niu: red above black", ja: "牛三枚：赤が黒に勝つ" },
  ranksRule: {
    zh: "张数相同、牌力更大才能压，一样大压不了。能压必须压；压不了就垫同样张数，暗放。",
    en: "Same number of pieces and more power beats; equal never does. If you can beat you must; if not, cover as many, face down.",
    ja: "枚数が同じで強さが上なら勝ち、同じ強さでは勝てない。勝てるなら必ず出し、勝てなければ同じ枚数を伏せる。",
  },
  ranksGoal: {
    zh: "赢下回合：每家出几个，就得几柱。",
    en: "Win a round and you get as many pillars as each seat played pieces.",
    ja: "ラウンドに勝つと、各自が出した枚数と同じ数の柱を得る。",
  },
  close: { zh: "关闭", en: "Close", ja: "閉じる" },
  seeTable: { zh: "看看牌桌", en: "See the table", ja: "卓を見る" },
  seeResult: { zh: "看结算", en: "See the result", ja: "結果を見る" },
  win: { zh: "你赢 {n} 个筹码", en: "You win {n}", ja: "あなたの勝ち +{n}点" },
  lose: { zh: "你输 {n} 个筹码", en: "You lose {n}", ja: "あなたの負け −{n}点" },
  even: { zh: "你不输不赢", en: "You come out even", ja: "あなたは損得なし" },
  over: { zh: "本局结束", en: "The game is over", ja: "ゲーム終了" },
  chips: { zh: "筹码", en: "Chips", ja: "点" },
  pillarsHead: { zh: "柱", en: "Pillars", ja: "柱" },
  why: { zh: "为什么", en: "Why", ja: "内訳" },
  noPay: {
    zh: "没有人够棋，互不付筹码。",
    en: "Nobody has enough: no chips change hands.",
    ja: "够の人がいないので、点の移動はなし。",
  },
  rounds: { zh: "每一回合", en: "Round by round", ja: "各ラウンド" },
  left: { zh: "剩下", en: "left", ja: "残り" },
  buckleMark: {
    zh: "{name}扣棋：到此为止？",
    en: "{name} [buckle|buckles]: stop here?",
    ja: "{name}が扣：ここで止める？",
  },
  ifEnds: { zh: "现在结束：{list}", en: "If it ends now: {list}", ja: "今終われば：{list}" },
  ifEndsEven: { zh: "现在结束：谁也不付。", en: "If it ends now: nobody pays.", ja: "今終われば：点の移動なし。" },
  openLead: { zh: "轮到你领出", en: "Your lead", ja: "あなたの番：先に出す" },
  stakeBuckle: {
    zh: "扣：两家都不掀就按现在的柱结算。有人掀，你就要继续领出；掀的人终局不足三柱要付你 1 个。",
    en: "Buckle: if neither reveals, the pillars are settled as they stand. If one does, you lead on, and they owe you 1 chip if they end below 3 pillars.",
    ja: "扣：二人とも掀しなければ今の柱で精算。掀されたら続けて出す。掀した人が最後に三柱未満なら、あなたへ1点。",
  },
  stakeReveal: {
    zh: "掀：继续打。你终局到三柱就不用付，不到就付{name} 1 个。",
    en: "Reveal: the game goes on. Reach 3 pillars and it is free; stay below and you pay {name} 1 chip.",
    ja: "掀：勝負続行。最後に三柱に届けば無料、届かなければ{name}へ1点。",
  },
  stakeRevealEnough: {
    zh: "你已经够了：再掀就收不到够棋的筹码，除非打到六柱成瓷。",
    en: "You already have enough: if you reveal you collect nothing for it, unless you reach 6 pillars.",
    ja: "あなたはもう够。掀すると够の点は受け取れない（六柱の瓷に届けば別）。",
  },
} satisfies Record<string, Words>;

export type Word = keyof typeof TABLE;

/** A word of the table with its values filled in. */
export const word = (key: Word, lang: Lang, values: Record<string, string | number> = {}, subject = ""): string =>
  fill(TABLE[key][lang], values, subject);
