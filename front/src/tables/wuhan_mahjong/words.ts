// Every word that Wuhan mahjong shows, in three languages.

import type { Lang, Words } from "../contract";
import type { MeldType, WinType, WinWay } from "./types";

const WORDS = {
  badge_laizi: { zh: "赖子", en: "wild", ja: "頼子" },
  badge_skin: { zh: "皮子", en: "skin", ja: "皮" },
  badge_red: { zh: "红中", en: "red", ja: "紅中" },
  special_laizi: { zh: "赖子", en: "laizi, the wild tile", ja: "頼子(万能牌)" },
  special_skin: { zh: "皮子", en: "skin", ja: "皮牌" },
  special_red: { zh: "红中", en: "Red", ja: "紅中" },

  // the centre
  wall: { zh: "余 {n} 张", en: "{n} left", ja: "残り {n} 枚" },
  wall_label: { zh: "牌墙还有 {n} 张", en: "{n} tiles in the wall", ja: "山に {n} 枚" },
  turned: { zh: "翻", en: "turned", ja: "表示" },
  laizi: { zh: "赖子", en: "wild", ja: "頼子" },
  skin: { zh: "皮", en: "skin", ja: "皮" },
  red: { zh: "红", en: "red", ja: "紅" },
  specials_label: {
    zh: "翻牌{turned}；赖子{laizi}；皮子{skins}；红中也只能杠",
    en: "Turned up: {turned}. Wild: {laizi}. Skins: {skins}. Red is special too",
    ja: "表示牌は{turned}。頼子は{laizi}。皮牌は{skins}。紅中も特殊牌",
  },

  // seats
  dealer: { zh: "庄", en: "dealer", ja: "親" },
  fan: { zh: "{n} 番", en: "×{n}", ja: "{n} 倍" },
  fan_label: { zh: "番数 {n}", en: "multiplier {n}", ja: "倍率 {n}" },
  tiles: { zh: "{n} 张", en: "{n} tiles", ja: "{n} 枚" },
  seat_label: {
    zh: "{who}：手牌 {n} 张，番数 {fan}",
    en: "{who}: {n} tiles in hand, multiplier {fan}",
    ja: "{who}：手牌 {n} 枚、倍率 {fan}",
  },
  river_label: { zh: "{who}打出的牌：{tiles}", en: "Discards of {who}: {tiles}", ja: "{who}の捨て牌：{tiles}" },
  none: { zh: "无", en: "none", ja: "なし" },
  hand_label: { zh: "你的手牌", en: "Your hand", ja: "あなたの手牌" },
  hidden: { zh: "盖牌", en: "face down", ja: "伏せ牌" },
  just_drawn: { zh: "刚摸到", en: "just drawn", ja: "ツモ牌" },

  // actions
  chow: { zh: "吃", en: "Chow", ja: "チー" },
  pong: { zh: "碰", en: "Pong", ja: "ポン" },
  kong: { zh: "杠", en: "Kong", ja: "カン" },
  supplement: { zh: "补杠", en: "Add to kong", ja: "加カン" },
  conceal: { zh: "暗杠", en: "Hidden kong", ja: "暗カン" },
  kong_laizi: { zh: "赖子杠", en: "Wild kong", ja: "頼子カン" },
  kong_skin: { zh: "皮子杠", en: "Skin kong", ja: "皮カン" },
  kong_red: { zh: "红中杠", en: "Red kong", ja: "紅中カン" },
  win: { zh: "胡", en: "Win", ja: "和了" },
  pass: { zh: "过", en: "Pass", ja: "見送る" },
  discard_tile: { zh: "打{tile}", en: "Discard {tile}", ja: "{tile}を切る" },
  discard_ready: {
    zh: "打{tile}，听{waits}",
    en: "Discard {tile}: you would wait for {waits}",
    ja: "{tile}切り：{waits}待ち",
  },
  actions_label: { zh: "你可以", en: "You may", ja: "選べる手" },

  // the status line
  you: { zh: "你", en: "You", ja: "あなた" },
  your_discard: {
    zh: "轮到你：选一张牌打出",
    en: "Your turn: choose a tile to discard",
    ja: "あなたの番：切る牌を選んでください",
  },
  your_discard_kong: {
    zh: "轮到你：先杠（翻倍、补牌），或打一张",
    en: "Your turn: kong (doubles, new tile) or discard",
    ja: "あなたの番：カン（倍＋補充）か、一枚切る",
  },
  your_win: {
    zh: "你胡了！可以胡，也可以继续打",
    en: "You can win! Take it, or play on",
    ja: "和了できます！和了するか、続けるか",
  },
  your_meld: { zh: "已鸣牌：打出一张", en: "Claimed: now discard a tile", ja: "鳴きました。一枚切ってください" },
  asked: {
    zh: "{who}打出{tile}，你要吗？",
    en: "{who} discarded {tile}. Do you claim it?",
    ja: "{who}が{tile}を切りました。鳴きますか？",
  },
  asked_rob: {
    zh: "{who}补杠{tile}，你可以抢杠胡！",
    en: "{who} adds {tile} to a kong: you can rob it and win!",
    ja: "{who}が{tile}を加カン：搶槓で和了できます！",
  },
  answered: { zh: "已应答，等其他人", en: "Answered; waiting for the others", ja: "応答済み。ほかの人を待っています" },
  thinking: { zh: "等待{who}", en: "Waiting for {who}", ja: "{who}の番です" },
  discarded: { zh: "{who}打出{tile}", en: "{who} discarded {tile}", ja: "{who}が{tile}を切りました" },
  is_over: { zh: "本局结束", en: "The hand is over", ja: "終局" },

  // why not
  why_frozen: { zh: "请稍候", en: "One moment", ja: "お待ちください" },
  why_turn: { zh: "还没轮到你", en: "It is not your turn", ja: "まだあなたの番ではありません" },
  why_over: { zh: "本局已经结束", en: "The hand is over", ja: "この局は終わりました" },
  why_asked: {
    zh: "先回答要不要{tile}",
    en: "First answer whether you claim {tile}",
    ja: "先に{tile}を鳴くか決めてください",
  },
  why_laizi: {
    zh: "赖子不能打出：留着当任意牌（红中除外），或用按钮杠掉（×4）",
    en: "The wild tile cannot be discarded: keep it to stand for any tile but Red, or kong it with the button (×4)",
    ja: "頼子は切れません。中以外のどの牌の代わりにもなります。カンすれば ×4",
  },
  why_skin: {
    zh: "皮子不能打出，手里有它也不能胡：用按钮杠掉（×2，补一张）",
    en: "A skin cannot be discarded, and you cannot win while holding it: kong it with the button (×2, and a new tile)",
    ja: "皮牌は切れず、持ったままでは和了できません。カンしましょう（×2、一枚補充）",
  },
  why_red: {
    zh: "红中不能打出，手里有它也不能胡：用按钮杠掉（×2，补一张）",
    en: "Red cannot be discarded, and you cannot win while holding it: kong it with the button (×2, and a new tile)",
    ja: "紅中は切れず、持ったままでは和了できません。カンしましょう（×2、一枚補充）",
  },

  // waits
  waits: { zh: "听牌", en: "Waits", ja: "待ち" },
  waits_title: { zh: "你听", en: "You wait for", ja: "待ち牌" },
  waits_after: { zh: "打出这张，就听", en: "Discard this to wait for", ja: "これを切ると待ちは" },
  left_unseen: { zh: "还有 {n} 张没露面", en: "{n} unseen", ja: "見えていない {n} 枚" },
  not_ready: { zh: "还没听牌", en: "You are not ready yet", ja: "まだテンパイしていません" },
  need_open: {
    zh: "先要开口：吃、碰或明杠一次",
    en: "First open your hand: chow, pong or kong a discard",
    ja: "まず鳴いて手を開くこと（チー・ポン・明カン）",
  },
  need_red: { zh: "手里还有红中，要杠掉", en: "Kong away the Red you hold", ja: "手の紅中をカンすること" },
  need_skin: { zh: "手里还有皮子，要杠掉", en: "Kong away the skin you hold", ja: "手の皮牌をカンすること" },
  need_shape: { zh: "离胡还不止一张牌", en: "You are more than one tile away", ja: "あと一枚の形になっていません" },
  need_minimum: {
    zh: "起胡 {n}：三家每家应付都要到 {n} 才能胡。小胡要 2、5、8 作将。",
    en: "A win must make every loser owe at least {n}. A small win needs a pair of 2, 5 or 8.",
    ja: "三人それぞれの支払いが {n} 以上でないと和了できません。小さい和了の雀頭は 2・5・8。",
  },
  fan_title: { zh: "你的番数", en: "Your multiplier", ja: "あなたの倍率" },
  fan_empty: { zh: "还没有翻番", en: "nothing doubles yet", ja: "まだ倍はありません" },

  // the end
  result: { zh: "结算", en: "Result", ja: "結果" },
  close: { zh: "看牌桌", en: "See the table", ja: "卓を見る" },
  wins_by: { zh: "{who}{way}", en: "{who} won {way}", ja: "{who}の{way}" },
  draw_title: { zh: "荒庄", en: "Drawn hand", ja: "流局" },
  draw_about: {
    zh: "牌摸完了，没有人胡。听牌的向每个没听的收：双方番数相乘；没开过口的加倍，每笔最多 {cap}。",
    en: "The wall is spent and nobody won. Whoever was ready collects from everyone who was not: the two multipliers times each other, doubled if the payer never opened, at most {cap}.",
    ja: "山が尽き、和了者なし。テンパイの人がノーテンの人から双方の倍率の積を受け取ります（一度も鳴いていない人は二倍、一件 {cap} まで）。",
  },
  draw_about_free: {
    zh: "牌摸完了，没有人胡。听牌的向每个没听的收：双方番数相乘；没开过口的加倍，不封顶。",
    en: "The wall is spent and nobody won. Whoever was ready collects from everyone who was not: the two multipliers times each other, doubled if the payer never opened, without limit.",
    ja: "山が尽き、和了者なし。テンパイの人がノーテンの人から双方の倍率の積を受け取ります（一度も鳴いていない人は二倍、上限なし）。",
  },
  draw_off: {
    zh: "牌摸完了，没有人胡；这桌荒庄不结算。",
    en: "The wall is spent and nobody won; at this table a drawn hand is not settled.",
    ja: "山が尽き、和了者なし。この卓では流局の精算はありません。",
  },
  draw_none: { zh: "没有应付的。", en: "Nobody owes anything.", ja: "支払いはありません。" },
  ready: { zh: "听牌", en: "ready", ja: "テンパイ" },
  unready: { zh: "没听", en: "not ready", ja: "ノーテン" },
  hand_won: { zh: "胡的牌", en: "The winning hand", ja: "和了の形" },
  how_counted: { zh: "怎么算的", en: "How it is counted", ja: "点数の内訳" },
  pays: { zh: "{who}付", en: "{who} pays", ja: "{who}の支払い" },
  share: { zh: "{who}应付", en: "{who} would pay", ja: "{who}の分" },
  pays_to: { zh: "{who}付给{whom}", en: "{who} pays {whom}", ja: "{who}から{whom}へ" },
  f_small: { zh: "小胡底分 1", en: "small win base 1", ja: "小和了の基本点 1" },
  f_big: { zh: "大胡底分 {n}", en: "big pattern base {n}", ja: "大役の基本点 {n}" },
  f_fan: { zh: "{who}番数 {n}", en: "{who} {n}", ja: "{who}の倍率 {n}" },
  f_hard: { zh: "硬胡 2", en: "hard 2", ja: "硬 2" },
  f_self: { zh: "自摸 {n}", en: "self-draw {n}", ja: "ツモ {n}" },
  f_gun: { zh: "点炮 {n}", en: "discarder {n}", ja: "放銃 {n}" },
  f_dealer: { zh: "涉庄 2", en: "dealer 2", ja: "親 2" },
  f_unopened: { zh: "没开口 2", en: "never opened 2", ja: "鳴きなし 2" },
  capped: { zh: "封顶 {n}", en: "capped at {n}", ja: "上限 {n}" },
  golden: { zh: "金顶 {n}", en: "golden limit {n}", ja: "金頂 {n}" },
  golden_about: {
    zh: "三家都到封顶 {cap}，各付金顶 {n}。",
    en: "All three reach the cap of {cap}, so each pays the golden amount, {n}.",
    ja: "三人とも上限 {cap} に達したため、金頂 {n} ずつの支払い。",
  },
  golden_most: {
    zh: "三家都到封顶 {cap}，每家最多付金顶 {n}。",
    en: "All three reach the cap of {cap}, so each pays up to the golden amount, {n}.",
    ja: "三人とも上限 {cap} に達したため、金頂 {n} までの支払い。",
  },
  contract_about: {
    zh: "{who}承包，一人付三家的：共 {n}。",
    en: "{who} is held liable and pays for all three: {n}.",
    ja: "{who}の責任払い。三人分の {n} を一人で支払います。",
  },
  substitutes: {
    zh: "当别的牌用的赖子：{n} 张",
    en: "Wild tiles standing for others: {n}",
    ja: "代用した頼子：{n} 枚",
  },
  total: { zh: "得分", en: "Score", ja: "得点" },
} satisfies Record<string, Words>;

export type Key = keyof typeof WORDS;

/** A word or sentence; `{name}` is filled from `parts`. */
export function word(key: Key, lang: Lang, parts: Record<string, string | number> = {}): string {
  return WORDS[key][lang].replace(/\{(\w+)\}/g, (_, name: string) => String(parts[name] ?? ""));
}

export const WAYS: Record<WinWay, Words> = {
  SELF_DRAW: { zh: "自摸", en: "by self-draw", ja: "ツモ和了" },
  ROB_KONG: { zh: "抢杠胡", en: "by robbing a kong", ja: "搶槓和了" },
  KONG_SELF_DRAW: { zh: "杠上开花", en: "on the tile drawn after a kong", ja: "嶺上ツモ和了" },
  DISCARD: { zh: "点炮胡", en: "on a discard", ja: "ロン和了" },
};

export const TYPES: Record<WinType, { name: Words; about: Words }> = {
  SOFT_WIN: {
    name: { zh: "软胡", en: "Soft win", ja: "軟和了" },
    about: { zh: "有赖子当别的牌", en: "a wild tile stands for another", ja: "頼子を別の牌として使用" },
  },
  HARD_WIN: {
    name: { zh: "硬胡", en: "Hard win", ja: "硬和了" },
    about: { zh: "没有赖子当别的牌，加倍", en: "no wild tile used as another: doubled", ja: "頼子の代用なし、二倍" },
  },
  PURE_FLUSH: {
    name: { zh: "清一色", en: "Pure flush", ja: "清一色" },
    about: { zh: "全是一门花色", en: "one suit only", ja: "一種の数牌のみ" },
  },
  PENG_PENG_HU: {
    name: { zh: "碰碰胡", en: "All triplets", ja: "対々和" },
    about: { zh: "四副刻子加一对", en: "triplets and a pair, no runs", ja: "刻子四つと雀頭" },
  },
  ALL_WIND: {
    name: { zh: "风一色", en: "All winds", ja: "風一色" },
    about: {
      zh: "全是风牌和发白，不论牌型",
      en: "winds, Green and White only, in any shape",
      ja: "風牌と發・白のみ、形は問わない",
    },
  },
  ALL_JIANG: {
    name: { zh: "将一色", en: "All 2-5-8", ja: "将一色" },
    about: { zh: "全是 2、5、8，不论牌型", en: "only 2s, 5s and 8s, in any shape", ja: "2・5・8 のみ、形は問わない" },
  },
  FULLY_MELDED: {
    name: { zh: "全求人", en: "Fully melded", ja: "全求人" },
    about: { zh: "四副全靠别人，胡别人打的牌", en: "four open melds, won on a discard", ja: "四副露でロン" },
  },
  FLOWER_ON_KONG: {
    name: { zh: "杠上开花", en: "Flower on a kong", ja: "嶺上開花" },
    about: { zh: "杠后补的牌胡了", en: "won on the tile drawn after a kong", ja: "カンの補充牌で和了" },
  },
  LAST_TILE_WIN: {
    name: { zh: "海底捞月", en: "Last tile", ja: "海底撈月" },
    about: { zh: "最后几张牌自摸", en: "own draw with at most three tiles left", ja: "残り三枚以下でのツモ" },
  },
  ROB_KONG: {
    name: { zh: "抢杠胡", en: "Robbed kong", ja: "搶槓" },
    about: { zh: "抢了别人补杠的牌", en: "took the tile of a kong being added to", ja: "加カンの牌で和了" },
  },
};

export const MELDS: Record<MeldType, Words> = {
  CHOW: { zh: "吃", en: "chow", ja: "チー" },
  PONG: { zh: "碰", en: "pong", ja: "ポン" },
  KONG_EXPOSED: { zh: "明杠", en: "kong", ja: "明カン" },
  KONG_SUPPLEMENT: { zh: "补杠", en: "added kong", ja: "加カン" },
  KONG_CONCEALED: { zh: "暗杠", en: "hidden kong", ja: "暗カン" },
};

export const PITCH: Words = {
  zh: "七皮四赖：赖子百搭，皮子红中越杠越大。",
  en: "A wild tile every hand, and kongs that double everything.",
  ja: "毎局ひとつの万能牌、カンするほど倍になる武漢の麻雀。",
};

export const KEYS: { key: string; does: Words }[] = [
  { key: "← →", does: { zh: "选手牌", en: "choose a tile", ja: "手牌を選ぶ" } },
  { key: "Enter", does: { zh: "打出选中的牌", en: "discard the chosen tile", ja: "選んだ牌を切る" } },
  {
    key: "1 – 9",
    does: {
      zh: "按第几个按钮（吃、碰、杠、胡、过）",
      en: "press that button (chow, pong, kong, win, pass)",
      ja: "その番号のボタン（チー・ポン・カン・和了・見送る）",
    },
  },
  { key: "C P G H", does: { zh: "吃、碰、杠、胡", en: "chow, pong, kong, win", ja: "チー、ポン、カン、和了" } },
  { key: "X", does: { zh: "过", en: "pass", ja: "見送る" } },
  { key: "W", does: { zh: "听什么、番数怎么来", en: "waits and multiplier", ja: "待ちと倍率" } },
  {
    key: "R",
    does: { zh: "局终：打开或收起结算", en: "at the end: show or hide the result", ja: "終局後：結果の表示・非表示" },
  },
];
