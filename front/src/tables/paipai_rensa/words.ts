// Every word of the table in 中文, English and 日本語.

import type { Lang, Words } from "../contract";
import type { Pace } from "./pace";

const WORDS = {
  game: { zh: "牌牌连锁", en: "Paipai Rensa", ja: "牌牌連鎖" },
  start: { zh: "按任意键或点一下开始", en: "Press any key or tap to start", ja: "キーを押すかタップで開始" },
  resume: {
    zh: "已暂停。按任意键或点一下继续",
    en: "Paused. Press any key or tap to go on",
    ja: "一時停止中。キーかタップで再開",
  },
  goal: {
    zh: "同花色的牌相连四张即消除。消下的牌凑成四组一对，就能和牌。",
    en: "Four touching tiles of one suit vanish. Build four sets and a pair from what you clear.",
    ja: "同じ種類の牌が4枚つながると消えます。消した牌で4面子1雀頭を作りましょう。",
  },
  score: { zh: "得分", en: "Score", ja: "スコア" },
  chain: { zh: "连锁", en: "Chain", ja: "連鎖" },
  chains: { zh: "{n} 连锁", en: "{n}-chain", ja: "{n} 連鎖" },
  next: { zh: "下一对", en: "NEXT", ja: "NEXT" },
  left: { zh: "余牌", en: "Tiles left", ja: "残り牌" },
  hand: { zh: "手牌", en: "Hand", ja: "手牌" },
  handEmpty: { zh: "消牌后放进这里", en: "Cleared tiles go here", ja: "消した牌がここに入ります" },
  points: {
    zh: "每消一张 100 分 × 连锁数。\n和牌 2000 分，每张红五再加 1000。\n每次消牌后，CPU 也用盘面和弃牌凑一副。",
    en: "Each vanished tile: 100 × the chain step.\nA complete hand: 2000, and 1000 for each red five.\nAfter every clear the CPU tries a hand from the board and the discards.",
    ja: "消した牌1枚につき 100点 × 連鎖数。\n和了は2000点、赤五1枚ごとに+1000。\n消すたびに、CPUも盤面と捨て牌で和了を狙います。",
  },
  cpu: { zh: "CPU", en: "CPU", ja: "CPU" },
  cpuWins: { zh: "和牌 {n} 次", en: "hands: {n}", ja: "和了 {n} 回" },
  progress: { zh: "成立状况", en: "CPU’s hand so far", ja: "成立状況" },
  notYet: { zh: "未成立", en: "Not yet", ja: "未成立" },
  pool: {
    zh: "可用牌 {n} 张：盘面 {board}＋弃牌 {discards}",
    en: "Pool {n}: board {board} + discards {discards}",
    ja: "対象 {n} 枚：盤面 {board}＋捨て牌 {discards}",
  },
  discards: { zh: "弃牌", en: "Discards", ja: "捨て牌" },
  lost: { zh: "压碎的牌", en: "Crushed", ja: "失われた牌" },
  none: { zh: "无", en: "None", ja: "なし" },
  againKey: { zh: "按 R 再来一局", en: "R plays again", ja: "R でもう一局" },
  close: { zh: "关闭", en: "Close", ja: "閉じる" },
  board: { zh: "盘面，六列十二行", en: "Board, six columns by twelve rows", ja: "盤面、6列12段" },
  pause: { zh: "暂停", en: "Pause", ja: "一時停止" },
  goOn: { zh: "继续", en: "Go on", ja: "再開" },
  pace: { zh: "下落速度", en: "Fall speed", ja: "落下速度" },
  moveLeft: { zh: "左移", en: "Move left", ja: "左へ" },
  moveRight: { zh: "右移", en: "Move right", ja: "右へ" },
  turnCw: { zh: "顺时针旋转", en: "Turn clockwise", ja: "右回転" },
  turnCcw: { zh: "逆时针旋转", en: "Turn counterclockwise", ja: "左回転" },
  faster: { zh: "下移一格", en: "One row down", ja: "1段下へ" },
  drop: { zh: "落到底", en: "Drop", ja: "落とす" },

  falls: { zh: "正在下落：{pair}", en: "Falling: {pair}", ja: "落下中：{pair}" },
  choose: {
    zh: "{pair}：选一列落下，Z／X 旋转",
    en: "{pair}: choose a column; Z or X turns",
    ja: "{pair}：列を選んで落とす。Z・Xで回転",
  },
  crush: {
    zh: "第 3 列快满了：不移开就会压碎下面的牌！",
    en: "Column 3 is full: move away, or tiles below are crushed!",
    ja: "3列目が満杯：動かさないと下の牌がつぶれます！",
  },
  landed: { zh: "落定……", en: "Landing…", ja: "着地…" },
  watching: { zh: "正在观看 {name}", en: "Watching {name}", ja: "{name} を観戦中" },
  away: { zh: "等待中……", en: "Waiting…", ja: "待機中…" },
  blocked: {
    zh: "这里放不下：旁边是墙或别的牌。",
    en: "No room there: a wall or a tile is in the way.",
    ja: "壁か牌があって動けません。",
  },
  column: { zh: "第 {n} 列", en: "Column {n}", ja: "{n}列目" },
  columnLabel: {
    zh: "第 {n} 列：{axis}，{rotor}在{where}",
    en: "Column {n}: {axis}, with {rotor} {where}",
    ja: "{n}列目：{axis}、{rotor}は{where}",
  },
  columnBlocked: {
    zh: "第 {n} 列这个朝向放不下，先旋转",
    en: "Column {n} has no room for the pair this way round: turn it first",
    ja: "{n}列目はこの向きでは置けません。回転してください",
  },
  follow: {
    zh: "这一步请照提示放在闪光处。",
    en: "For this lesson, follow the glowing mark.",
    ja: "このレッスンでは光っている所に置いてください。",
  },

  allocTitle: { zh: "分配消下的牌", en: "Share out the tiles", ja: "牌の配置" },
  allocRule: {
    zh: "手牌至多 14 张，其余弃掉，归 CPU 使用。",
    en: "Keep at most 14. The CPU may use what you discard.",
    ja: "手牌は14枚まで。捨てた牌はCPUが使えます。",
  },
  modeHand: { zh: "留作手牌", en: "To hand", ja: "手牌へ" },
  modeDiscard: { zh: "弃掉", en: "Discard", ja: "捨てる" },
  counts: {
    zh: "手牌 {hand}/14，弃牌 {discards}",
    en: "Hand {hand}/14, discards {discards}",
    ja: "手牌 {hand}/14、捨て牌 {discards}",
  },
  tooMany: { zh: "还须弃 {n} 张", en: "Discard {n} more", ja: "あと{n}枚捨ててください" },
  confirm: { zh: "确定", en: "Confirm", ja: "決定" },
  reset: { zh: "重置", en: "Reset", ja: "リセット" },
  propose: { zh: "建议", en: "Suggest", ja: "おすすめ" },
  allDiscard: { zh: "全弃", en: "Discard all", ja: "全部捨てる" },
  inHand: { zh: "手牌", en: "hand", ja: "手牌" },
  inDiscard: { zh: "弃牌", en: "discard", ja: "捨て牌" },
  fromHand: { zh: "原有手牌", en: "from your hand", ja: "元の手牌" },
  resulting: { zh: "手牌预览", en: "Your hand", ja: "手牌の見込み" },
  allocKeys: {
    zh: "方向键选牌，空格切换，A 建议，R 重置，回车确定",
    en: "Arrows choose, Space flips, A suggests, R resets, Enter confirms",
    ja: "矢印で選択、スペースで切替、Aおすすめ、Rリセット、Enterで決定",
  },
  allocOther: { zh: "{name} 正在分配", en: "{name} is sharing out", ja: "{name} が配置中" },
  complete: { zh: "和牌！四组一对", en: "Complete: four sets and a pair!", ja: "和了形！4面子1雀頭" },
  shape: { zh: "组 {melds}/4，对 {pair}/1", en: "sets {melds}/4, pair {pair}/1", ja: "面子 {melds}/4、雀頭 {pair}/1" },
  waiting: { zh: "听 {tiles}", en: "Waiting for {tiles}", ja: "待ち：{tiles}" },

  holdTitle: { zh: "HOLD 结果确认", en: "HOLD: is a hand complete?", ja: "HOLD 結果確認" },
  onward: { zh: "继续", en: "Continue", ja: "続ける" },
  holdKey: { zh: "按任意键继续", en: "Any key goes on", ja: "何かキーを押すと続きます" },
  not14: { zh: "不足 14 张", en: "fewer than 14 tiles", ja: "14枚未満" },
  no14: { zh: "未凑成四组一对", en: "not four sets and a pair", ja: "4面子1雀頭ではない" },
  "pool<14": { zh: "可用牌不足 14 张", en: "fewer than 14 tiles in the pool", ja: "対象が14枚未満" },
  "no-combo": { zh: "凑不成一副", en: "no hand in the pool", ja: "和了形なし" },
  cpuWon: { zh: "CPU 和牌！", en: "The CPU wins a hand!", ja: "CPUの和了！" },
  youWon: { zh: "和牌！", en: "You win a hand!", ja: "和了！" },
  cpuFrom: {
    zh: "用了盘面 {board} 张、弃牌 {discards} 张",
    en: "{board} from the board, {discards} from the discards",
    ja: "盤面から{board}枚、捨て牌から{discards}枚",
  },
  sets: { zh: "一副 2000", en: "hand 2000", ja: "和了 2000" },
  reds: { zh: "红五 {n} 张 ＋{points}", en: "red fives: {n}, +{points}", ja: "赤五 {n}枚 +{points}" },

  win: { zh: "你赢了", en: "You win", ja: "あなたの勝ち" },
  lose: { zh: "CPU 赢了", en: "The CPU wins", ja: "CPUの勝ち" },
  draw: { zh: "平局", en: "A draw", ja: "引き分け" },
  why: {
    zh: "牌已发完，总分高者胜。",
    en: "The supply is used up; the higher total wins.",
    ja: "牌が尽きました。合計点の高い方が勝ちです。",
  },
  final: {
    zh: "最后判定：CPU 又和一副，＋{n}",
    en: "Final judgement: one more hand for the CPU, +{n}",
    ja: "最終判定：CPUがもう一度和了、+{n}",
  },
  handWins: { zh: "和牌次数", en: "hands completed", ja: "和了回数" },
  longest: { zh: "最长连锁", en: "Longest chain", ja: "最長連鎖" },
  payoff: { zh: "结算：{name} {n}", en: "Result: {name} {n}", ja: "結果：{name} {n}" },
  showResult: { zh: "看结果", en: "Show result", ja: "結果を見る" },
} satisfies Record<string, Words>;

export type Word = keyof typeof WORDS;
export type Say = (word: Word, values?: Record<string, string | number>) => string;

export function speaker(lang: Lang): Say {
  return (word, values = {}) =>
    WORDS[word][lang].replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""));
}

export const PACE_WORDS: Record<Pace, Words> = {
  none: { zh: "不下落", en: "No falling", ja: "落下なし" },
  slow: { zh: "慢", en: "Slow", ja: "ゆっくり" },
  normal: { zh: "普通", en: "Normal", ja: "ふつう" },
  fast: { zh: "快", en: "Fast", ja: "速い" },
};

/** Where the rotor is, seen from the axis. */
export const WHERE: Record<Lang, string[]> = {
  zh: ["上", "右", "下", "左"],
  en: ["above", "on the right", "below", "on the left"],
  ja: ["上", "右", "下", "左"],
};
