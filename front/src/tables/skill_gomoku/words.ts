// Every word of the skill gomoku table in Chinese, English and Japanese; sentences for events are in tell.ts.

import type { Lang, TableModule, Words } from "../contract";
import type { CardId, Player } from "./types";

export const PITCH: Words = {
  zh: "五子连珠，但每一手都要靠牌：落子、提子、黑白互换、冻结对手、天女散花。",
  en: "Five in a row, but every move is a card: place, take, swap all colours, freeze time.",
  ja: "五目並べ、ただし一手ごとにカード勝負。置く、取る、白黒反転、時間停止、花吹雪。",
};

export const KEYS: TableModule["keys"] = [
  { key: "1 2", does: { zh: "选左边或右边的牌", en: "choose the left or the right card", ja: "左か右のカードを選ぶ" } },
  { key: "← → ↑ ↓", does: { zh: "移动光标", en: "move the cursor", ja: "カーソルを動かす" } },
  { key: "Enter", does: { zh: "选定光标所在处", en: "choose what the cursor is on", ja: "カーソルの場所に決める" } },
  {
    key: "a1 …",
    does: {
      zh: "输入坐标，光标跳到那里（如 h8）",
      en: "type a point to jump there (h8)",
      ja: "座標を打つとそこへ移動（例 h8）",
    },
  },
  {
    key: "Esc",
    does: { zh: "清除输入，关闭窗口", en: "clear what was typed, close a sheet", ja: "入力を消す、窓を閉じる" },
  },
  { key: "U", does: { zh: "看还没出现的牌", en: "show the cards not yet seen", ja: "まだ出ていないカードを見る" } },
];

export const CARD_ORDER: CardId[] = ["Place", "Take", "PolarityInversion", "TimeFreeze", "SpontaneousGeneration"];

const NAMES: Record<CardId, Words> = {
  Place: { zh: "落子无悔", en: "Place Stone", ja: "着手" },
  Take: { zh: "飞沙走石", en: "Take Stone", ja: "石取り" },
  PolarityInversion: { zh: "两极反转", en: "Polarity Inversion", ja: "白黒反転" },
  TimeFreeze: { zh: "时间冻结", en: "Time Freeze", ja: "時間停止" },
  SpontaneousGeneration: { zh: "天女散花", en: "Spontaneous Generation", ja: "花吹雪" },
};

const DOES: Record<CardId, Words> = {
  Place: {
    zh: "在一个空位落下自己的一子。",
    en: "Put your stone on an empty point.",
    ja: "空いている点に自分の石を一つ置く。",
  },
  Take: { zh: "拿掉对方的一子。", en: "Remove one of the opponent's stones.", ja: "相手の石を一つ取り除く。" },
  PolarityInversion: {
    zh: "全盘黑白互换。",
    en: "Black stones turn white, white ones black.",
    ja: "盤上の黒石と白石をすべて入れ替える。",
  },
  TimeFreeze: { zh: "对方跳过下一回合。", en: "The opponent's next turn is skipped.", ja: "相手の次の番を飛ばす。" },
  SpontaneousGeneration: {
    zh: "五个随机空位各生出一子，黑白随机。",
    en: "Five stones of random colours grow at random.",
    ja: "五つの空点に石が生える。場所も色も運まかせ。",
  },
};

export const cardName = (card: CardId, lang: Lang): string => NAMES[card][lang];
export const cardDoes = (card: CardId, lang: Lang): string => DOES[card][lang];

const SIDES: Record<Player, Words> = {
  1: { zh: "黑", en: "Black", ja: "黒" },
  2: { zh: "白", en: "White", ja: "白" },
};
export const sideName = (player: Player, lang: Lang): string => SIDES[player][lang];
/** The colour inside a sentence. */
export const colour = (player: Player, lang: Lang): string =>
  lang === "en" ? SIDES[player].en.toLowerCase() : SIDES[player][lang];

export const YOU: Words = { zh: "你", en: "You", ja: "あなた" };

/** The names with the viewer's replaced by "you". */
export const withYou = (names: string[], seat: number, lang: Lang): string[] =>
  names.map((name, k) => (k === seat ? YOU[lang] : name));

/** Puts `values` into the braces; [do|does] takes the first form when the subject is "You"; {name's} is a possessive. */
export function fill(text: string, values: Record<string, string | number>, subject = ""): string {
  const full = text.replace(/\{(\w+)('s)?\}/g, (_, key: string, of: string | undefined) => {
    const value = String(values[key] ?? "");
    if (!of) return value;
    return value.toLowerCase() === "you" ? (value === "You" ? "Your" : "your") : `${value}'s`;
  });
  return full.replace(/\[([^|\]]*)\|([^\]]*)\]/g, (_, you: string, they: string) => (subject === YOU.en ? you : they));
}

/** An English name inside a sentence. */
export const inside = (name: string): string => (name === YOU.en ? "you" : name);

export const signed = (n: number): string => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0");

const TABLE = {
  table: { zh: "技能五子棋桌", en: "Skill gomoku table", ja: "スキル五目並べの卓" },
  board: { zh: "棋盘，{n} 路", en: "Board, {n} by {n}", ja: "盤、{n}路" },
  yourCards: { zh: "你抽到的牌，选一张", en: "Your two cards: play one", ja: "あなたの二枚。一枚を使う" },
  cardsOf: { zh: "{name}的牌", en: "{name's} cards", ja: "{name}のカード" },
  back: { zh: "背面朝上的牌", en: "a face-down card", ja: "伏せたカード" },
  played: { zh: "打出", en: "played", ja: "使用" },
  thrown: { zh: "弃掉", en: "discarded", ja: "捨て" },
  noUse: { zh: "现在没用", en: "no use now", ja: "今は使えない" },
  pick: { zh: "打出{card}", en: "Play {card}", ja: "{card}を使う" },
  aim: { zh: "冻结{name}", en: "Freeze {name}", ja: "{name}を止める" },
  placeAt: { zh: "落子 {at}", en: "Place at {at}", ja: "{at}に置く" },
  takeAt: { zh: "提掉 {at} 的{colour}子", en: "Take the {colour} stone at {at}", ja: "{at}の{colour}石を取る" },
  tapAgain: { zh: "再点一次：{what}", en: "Tap again: {what}", ja: "もう一度タップ：{what}" },
  emptyAt: { zh: "{at}，空", en: "{at}, empty", ja: "{at}、空き" },
  stoneAt: { zh: "{at}，{colour}子", en: "{at}, {colour} stone", ja: "{at}、{colour}石" },
  lastAt: { zh: "最后一手", en: "last move", ja: "最後の一手" },
  wonAt: { zh: "五连", en: "in the line of five", ja: "五連" },
  typed: { zh: "坐标：{text}_", en: "Point: {text}_", ja: "座標：{text}_" },
  noPoint: { zh: "棋盘上没有 {text}", en: "There is no point {text}", ja: "{text}という点はない" },
  thinking: { zh: "思考中", en: "to move", ja: "手番" },
  frozenFor: { zh: "跳过 {n} 回合", en: "skips {n}", ja: "{n}回休み" },
  frozenAbout: {
    zh: "被冻结：接下来 {n} 个回合直接跳过",
    en: "frozen: the next {n} of these turns are skipped",
    ja: "停止中：次の{n}回は番が飛ぶ",
  },
  skipped: { zh: "被冻结，跳过", en: "frozen: skipped", ja: "停止中：飛ばす" },
  fizzled: { zh: "无效", en: "fizzles", ja: "不発" },
  shuffled: { zh: "弃牌洗回牌堆", en: "discards shuffled", ja: "捨て札を切り直し" },
  last: { zh: "{name}打出", en: "{name} played", ja: "{name}が使用" },
  unseen: { zh: "剩牌", en: "Deck", ja: "山札" },
  discards: { zh: "弃牌", en: "Discards", ja: "捨て札" },
  unseenTitle: { zh: "还没出现的牌", en: "Cards not yet seen", ja: "まだ出ていないカード" },
  unseenAbout: {
    zh: "牌堆 {draw} 张，弃牌 {gone} 张。牌堆抽完，弃牌洗回来再用。",
    en: "{draw} in the draw pile, {gone} discarded. When the pile is empty, the discards are shuffled back.",
    ja: "山札{draw}枚、捨て札{gone}枚。山札が尽きたら捨て札を切り直して使う。",
  },
  unseenHidden: {
    zh: "对方手上没翻开的牌也算在内。",
    en: "The opponent's hidden cards are counted here too.",
    ja: "相手の伏せたカードもこの数に含む。",
  },
  unseenOf: { zh: "{n} / {all} 张", en: "{n} of {all}", ja: "{n} / {all}枚" },
  close: { zh: "关闭", en: "Close", ja: "閉じる" },
  seeTable: { zh: "看看棋盘", en: "See the board", ja: "盤を見る" },
  seeResult: { zh: "看结果", en: "Result", ja: "結果" },
  youWin: { zh: "你赢了！", en: "You win!", ja: "あなたの勝ち！" },
  youLose: { zh: "你输了", en: "You lose", ja: "あなたの負け" },
  draw: { zh: "平局", en: "A draw", ja: "引き分け" },
  wins: { zh: "{name}获胜", en: "{name} wins", ja: "{name}の勝ち" },
  whyFive: {
    zh: "{colour}棋连成 {n} 子：{from} 到 {to}。",
    en: "{side} has {n} in a row, from {from} to {to}.",
    ja: "{colour}石が{n}個並んだ：{from}から{to}。",
  },
  whyOwner: {
    zh: "五连归棋子的主人，不论是谁走的这一手。",
    en: "A line belongs to the owner of its stones, whoever made the move.",
    ja: "誰の手で並んだとしても、列は石の持ち主のもの。",
  },
  whyBoth: {
    zh: "黑白同时五连，按约定由走这一手的{name}获胜。",
    en: "Both colours have five at once: {name}, who moved, [win|wins].",
    ja: "黒と白が同時に五連。手番だった{name}の勝ち。",
  },
  whyBothDraw: {
    zh: "黑白同时五连，按约定算平局。",
    en: "Both colours have five at once: a draw, as agreed.",
    ja: "黒と白が同時に五連。取り決めにより引き分け。",
  },
  whyLimit: {
    zh: "到了第 {n} 回合的上限，还没有五连。",
    en: "The limit of {n} turns was reached without a five.",
    ja: "五連のないまま、上限の{n}ターンに達した。",
  },
  whyNoCards: { zh: "一张牌也抽不到了。", en: "No card is left to draw.", ja: "引けるカードがもうない。" },
  turns: { zh: "共 {n} 回合。", en: "{n} turns were played.", ja: "全{n}ターン。" },
  turnNumber: { zh: "第 {n} 回合", en: "Turn {n}", ja: "{n}ターン目" },
  points: { zh: "得分", en: "Points", ja: "得点" },
  // what is asked
  askChoose: {
    zh: "轮到你：两张牌里打出一张，另一张弃掉。",
    en: "Your turn: play one of the two cards; the other is thrown away.",
    ja: "あなたの番：二枚から一枚を使う。もう一枚は捨て札になる。",
  },
  askOnly: {
    zh: "轮到你：{why}，只能打出{card}。",
    en: "Your turn: {why}, so play {card}.",
    ja: "あなたの番：{why}。{card}を使う。",
  },
  askOne: {
    zh: "轮到你：只抽到一张牌，打出它。",
    en: "Your turn: only one card was left to draw. Play it.",
    ja: "あなたの番：引けたのは一枚だけ。それを使う。",
  },
  askFizzle: {
    zh: "两张牌现在都用不上（{why}）。任选一张：没有效果，两张都弃掉。",
    en: "Neither card can do anything now ({why}). Choose either: it fizzles, and both are thrown away.",
    ja: "どちらも今は使えない（{why}）。一枚選ぶと不発になり、二枚とも捨て札になる。",
  },
  askPlace: {
    zh: "{card}：选一个空位，落下你的{colour}子。",
    en: "{card}: choose an empty point for your {colour} stone.",
    ja: "{card}：あなたの{colour}石を置く点を選ぶ。",
  },
  askTake: {
    zh: "{card}：选一颗{colour}子拿掉。",
    en: "{card}: choose a {colour} stone to remove.",
    ja: "{card}：取り除く{colour}石を選ぶ。",
  },
  askFreeze: {
    zh: "{card}：点{name}的名牌，冻结他的下一回合。",
    en: "{card}: choose {name} to skip their next turn.",
    ja: "{card}：{name}を選んで次の番を飛ばす。",
  },
  waitChoose: {
    zh: "{name}抽了牌，正在选……",
    en: "{name} [are|is] choosing a card…",
    ja: "{name}がカードを選んでいる…",
  },
  waitTarget: {
    zh: "{name}打出{card}，正在选目标……",
    en: "{name} played {card} and [choose|chooses] a target…",
    ja: "{name}が{card}を使い、狙いを選んでいる…",
  },
  // why not
  noEmpty: { zh: "棋盘上没有空位", en: "there is no empty point", ja: "空いている点がない" },
  noTheirs: { zh: "对方在棋盘上没有子", en: "the opponent has no stone on the board", ja: "盤上に相手の石がない" },
  noFive: { zh: "空位不足五个", en: "fewer than five points are empty", ja: "空いている点が五つに足りない" },
  whyCard: { zh: "{card}不能用：{why}。", en: "{card} cannot be played: {why}.", ja: "{card}は使えない：{why}。" },
  whyCardChosen: {
    zh: "已经选了{card}，不能改。",
    en: "{card} was chosen already; that cannot be changed.",
    ja: "もう{card}を選んだ。変更はできない。",
  },
  whyTurn: { zh: "还没轮到你。", en: "It is not your turn.", ja: "まだあなたの番ではない。" },
  whyOver: { zh: "这一局已经结束。", en: "The game is over.", ja: "対局は終わっている。" },
  whySending: {
    zh: "稍等，正在送出你的选择。",
    en: "One moment: your choice is on its way.",
    ja: "選択を送信中です。",
  },
  whyCardFirst: { zh: "先选一张牌。", en: "Choose a card first.", ja: "先にカードを選ぶ。" },
  whyTaken: {
    zh: "{at} 已经有子，要落在空位上。",
    en: "{at} already has a stone: place on an empty point.",
    ja: "{at}にはもう石がある。空いている点に置く。",
  },
  whyNothing: { zh: "{at} 没有子可拿。", en: "There is no stone at {at} to take.", ja: "{at}には取る石がない。" },
  whyOwn: {
    zh: "{at} 是你自己的子，只能拿对方的。",
    en: "{at} is your own stone: take one of the opponent's.",
    ja: "{at}は自分の石。取れるのは相手の石だけ。",
  },
  whyAim: {
    zh: "时间冻结不用选格子：点{name}的名牌。",
    en: "Time Freeze needs no point: choose {name}.",
    ja: "時間停止に点はいらない。{name}を選ぶ。",
  },
} satisfies Record<string, Words>;

export type Word = keyof typeof TABLE;

/** A word of the table with its values filled in. */
export const word = (key: Word, lang: Lang, values: Record<string, string | number> = {}, subject = ""): string =>
  fill(TABLE[key][lang], values, subject);
