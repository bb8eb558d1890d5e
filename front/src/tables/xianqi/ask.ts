// The status line: whose turn it is, what is asked, and why a piece cannot be chosen.

import type { Lang, Words } from "../contract";
import { UNDER, playOf, powerOf, sizeOf, type Type } from "./pieces";
import type { View } from "./types";
import { comboName, counted, fill, inside, pieceName } from "./words";

const ASK = {
  over: { zh: "本局结束。", en: "The game is over.", ja: "ゲーム終了。" },
  waitOpen: {
    zh: "等{name}领出，或扣棋。",
    en: "Waiting for {name} to lead or buckle.",
    ja: "{name}が出すか扣するのを待っています。",
  },
  waitLead: {
    zh: "{by}掀了：等{name}领出。",
    en: "{by} revealed: {name} must lead.",
    ja: "{by}が掀：{name}が出すのを待っています。",
  },
  waitReveal: {
    zh: "{by}扣棋：等{name}决定掀不掀。",
    en: "{by} buckled: waiting for {name} to reveal or pass.",
    ja: "{by}が扣：{name}の返事を待っています。",
  },
  waitFollow: {
    zh: "等{name}压过{cards}，或垫{n}。",
    en: "Waiting for {name} to beat {cards} or cover {n}.",
    ja: "{name}が{cards}に勝つ駒を出すか{n}伏せるのを待っています。",
  },
  open: {
    zh: "你领出：出一个，或一对、三个相同的；也可以扣。",
    en: "You lead: one piece, a pair or three alike; or buckle.",
    ja: "あなたから：一枚、対、三枚のどれかを出すか、扣で止めます。",
  },
  openNoBuckle: {
    zh: "你领出：出一个，或一对、三个相同的。",
    en: "You lead: one piece, a pair or three alike.",
    ja: "あなたから：一枚、対、三枚のどれかを出します。",
  },
  openFirst: { zh: "你先说：扣，还是不扣？", en: "First say: buckle or not?", ja: "まず扣するかどうかを決めます。" },
  lead: {
    zh: "{by}掀了你的扣：你必须领出。",
    en: "{by} revealed: you must lead now.",
    ja: "{by}に掀されました。あなたが出します。",
  },
  leadOn: {
    zh: "你领出：出一个，或一对、三个相同的。",
    en: "Your lead: one piece, a pair or three alike.",
    ja: "あなたから：一枚、対、三枚のどれかを出します。",
  },
  reveal: {
    zh: "{by}扣棋，问你：掀不掀？",
    en: "{by} buckles and asks you: reveal or pass?",
    ja: "{by}の扣。掀しますか？",
  },
  beat1: {
    zh: "压过{owner}的{cards}：出一个大于{power}的。能压必须压。",
    en: "Beat {owner}{s} {cards}: one piece above {power}. You can, so you must.",
    ja: "{owner}の{cards}に勝つ：{power}より強い駒を一枚。出せるなら必ず出します。",
  },
  beat2: {
    zh: "压过{owner}的{cards}：出一对大于{power}的。能压必须压。",
    en: "Beat {owner}{s} {cards}: a pair above {power}. You can, so you must.",
    ja: "{owner}の{cards}に勝つ：{power}より強い対を。出せるなら必ず出します。",
  },
  beat3: {
    zh: "压过{owner}的{cards}：出三个红牛。能压必须压。",
    en: "Beat {owner}{s} {cards} with three red niu. You can, so you must.",
    ja: "{owner}の{cards}に勝つ：赤牛三枚を。出せるなら必ず出します。",
  },
  cover1: {
    zh: "压不了{owner}的{cards}（{power}）：垫一个，暗放。",
    en: "You cannot beat {owner}{s} {cards} ({power}): cover one piece, face down.",
    ja: "{owner}の{cards}（{power}）に勝てません。一枚伏せます。",
  },
  cover: {
    zh: "压不了{owner}的{cards}（{power}）：选{n}个垫下，已选{have}。",
    en: "You cannot beat {owner}{s} {cards} ({power}): pick {n} to cover, {have} picked.",
    ja: "{owner}の{cards}（{power}）に勝てません。{n}枚選んで伏せます（{have}枚選択）。",
  },
  notYet: {
    zh: "还没轮到你：等{name}。",
    en: "Not your turn: waiting for {name}.",
    ja: "まだあなたの番ではありません（{name}の番）。",
  },
  answerFirst: {
    zh: "先回答掀不掀，再出棋。",
    en: "Answer first: reveal or pass.",
    ja: "先に掀かパスかを答えてください。",
  },
  sayFirst: {
    zh: "先决定扣不扣，再出棋。",
    en: "Decide first: buckle or not.",
    ja: "先に扣するかどうかを決めてください。",
  },
  weak: {
    zh: "{piece}是{mine}，不大于{power}，压不了。",
    en: "{piece} has {mine}, not more than {power}: it does not beat.",
    ja: "{piece}は{mine}。{power}より強くないので勝てません。",
  },
  few2: {
    zh: "这回合要一对，{piece}只有一个。",
    en: "This round takes pairs, and you have one {piece}.",
    ja: "このラウンドは対だけ。{piece}は一枚しかありません。",
  },
  few3: {
    zh: "这回合要三个牛，{piece}凑不成。",
    en: "This round takes three niu; {piece} will not do.",
    ja: "このラウンドは牛三枚だけ。{piece}では組めません。",
  },
  full: {
    zh: "已经选够{n}个，先点一个取消再换。",
    en: "{n} are picked already: take one back to change.",
    ja: "もう{n}枚選びました。替えるには一枚戻してください。",
  },
} satisfies Record<string, Words>;

type Key = keyof typeof ASK;

const say = (key: Key, lang: Lang, values: Record<string, string | number>): string => {
  const text = fill(ASK[key][lang], values);
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** The leading combo of the running round, for sentences. */
function target(view: View, names: string[], lang: Lang): Record<string, string | number> {
  const best = view.best;
  const entry = view.round?.entries.find((e) => e.seat === best?.seat && e.power === best.power);
  if (!best || !entry?.cards) return {};
  const owner = names[best.seat] ?? "";
  const cards = comboName(entry.cards, lang);
  return { owner, s: "'s", cards: lang === "en" ? cards.replace(/^(a|the) /, "") : cards, power: best.power };
}

/** What is asked of whom now. `names` has "you" for the viewer. */
export function asked(view: View, seat: number, names: string[], legal: number[], lang: Lang, have: number): string {
  if (view.decider === null) return say("over", lang, {});
  const mine = legal.length > 0 && view.decider === seat;
  const by = inside(names[view.phase === "reveal_decision" ? (view.buckler ?? 0) : (view.challenger ?? 0)] ?? "");
  const name = inside(names[view.decider] ?? "");
  const aim = target(view, names, lang);
  if (!mine) {
    if (view.phase === "reveal_decision") return say("waitReveal", lang, { by, name });
    if (view.phase === "buckle_decision") return say("waitOpen", lang, { name });
    if (view.kind === 0) return say(view.challenger === null ? "waitOpen" : "waitLead", lang, { by, name });
    return say("waitFollow", lang, { name, n: counted(view.kind, "piece", lang), cards: aim["cards"] ?? "" });
  }
  if (view.phase === "reveal_decision") return say("reveal", lang, { by });
  if (view.phase === "buckle_decision") {
    if (view.options["round_open"] === "buckle_first") return say("openFirst", lang, {});
    return say(legal.includes(25) ? "open" : "openNoBuckle", lang, {});
  }
  if (view.kind === 0) return say(view.challenger === null ? "leadOn" : "lead", lang, { by });
  if (legal[0]! >= UNDER) {
    return say(view.kind === 1 ? "cover1" : "cover", lang, { ...aim, n: view.kind, have });
  }
  return say((["beat1", "beat2", "beat3"] as const)[view.kind - 1]!, lang, aim);
}

/** Why `type` cannot be chosen now. */
export function whyNot(
  type: Type,
  view: View,
  seat: number,
  names: string[],
  legal: number[],
  lang: Lang,
  full: boolean,
): string {
  if (view.decider === null) return say("over", lang, {});
  if (view.decider !== seat || legal.length === 0)
    return say("notYet", lang, { name: inside(names[view.decider] ?? "") });
  if (view.phase === "reveal_decision") return say("answerFirst", lang, {});
  if (view.phase === "buckle_decision") return say("sayFirst", lang, {});
  if (full) return say("full", lang, { n: view.kind });
  const piece = pieceName(type, lang);
  const dog = view.kind === 2 && type.endsWith("GOU");
  const combo = dog ? { R_GOU: 1, B_GOU: 1 } : { [type]: view.kind };
  const held = view.hand ?? {};
  const complete = Object.entries(combo).every(([t, n]) => (held[t as Type] ?? 0) >= n);
  if (!complete || (!dog && playOf(type, view.kind) < 0)) {
    return say(view.kind === 3 ? "few3" : "few2", lang, { piece });
  }
  const name = sizeOf(combo) > 1 ? comboName(combo, lang) : piece;
  return say("weak", lang, { piece: name, mine: powerOf(combo, view.options), power: view.best?.power ?? 0 });
}
