// Events in words, for the log: what was played and what it did.

import type { GameEvent, Lang, Words } from "../contract";
import { nameOf } from "./board";
import { shown } from "./size.svelte";
import type { GomokuEvent, Op, Player } from "./types";
import { cardName, colour, fill, inside } from "./words";

const SAY = {
  skipped: {
    zh: "{name}被冻结，跳过这一回合。",
    en: "{name} [are|is] frozen: the turn is skipped.",
    ja: "{name}は停止中、番が飛ぶ。",
  },
  shuffled: {
    zh: "牌堆抽完，弃牌洗回。",
    en: "The draw pile ran out: the discards are shuffled back.",
    ja: "山札が尽き、捨て札を切り直した。",
  },
  chosen: {
    zh: "{name}打出{card}，弃掉{gone}。",
    en: "{name} [play|plays] {card}, throwing away {gone}.",
    ja: "{name}が{card}を使い、{gone}を捨てた。",
  },
  only: { zh: "{name}打出{card}。", en: "{name} [play|plays] {card}.", ja: "{name}が{card}を使った。" },
  fizzled: { zh: "{card}没有效果。", en: "{card} fizzles: nothing happens.", ja: "{card}は不発に終わった。" },
  place: {
    zh: "{name}落子 {at}。",
    en: "{name} [place|places] a {colour} stone at {at}.",
    ja: "{name}が{at}に{colour}石を置いた。",
  },
  take: {
    zh: "{name}提掉 {at} 的{colour}子。",
    en: "{name} [take|takes] the {colour} stone at {at}.",
    ja: "{name}が{at}の{colour}石を取った。",
  },
  swap: { zh: "全盘黑白互换。", en: "Every stone changes colour.", ja: "すべての石の色が入れ替わった。" },
  freeze: {
    zh: "{name}的下一回合将被跳过。",
    en: "{name's} next turn will be skipped.",
    ja: "{name}の次の番は飛ばされる。",
  },
  grow: { zh: "生出棋子：{list}。", en: "Stones grow: {list}.", ja: "石が生えた：{list}。" },
  won: {
    zh: "{name}（{colour}）五连获胜！",
    en: "{name} ({colour}) [have|has] five in a row and [win|wins]!",
    ja: "{name}（{colour}）が五連で勝ち！",
  },
  wonBoth: {
    zh: "黑白同时五连，{name}获胜。",
    en: "Fives of both colours at once: {name} [win|wins].",
    ja: "黒白同時の五連、{name}の勝ち。",
  },
  drawBoth: {
    zh: "黑白同时五连，平局。",
    en: "Fives of both colours at once: a draw.",
    ja: "黒白同時の五連で引き分け。",
  },
  drawLimit: {
    zh: "到达回合上限，平局。",
    en: "The turn limit is reached: a draw.",
    ja: "ターン上限に達し、引き分け。",
  },
  drawCards: { zh: "无牌可抽，平局。", en: "No cards are left: a draw.", ja: "引くカードがなく、引き分け。" },
} satisfies Record<string, Words>;

/** A stone and its point: black h8, 黑h8. */
const stone = (op: Op & { type: "place" }, lang: Lang): string =>
  `${colour(op.player, lang)}${lang === "en" ? " " : ""}${nameOf(op.point.x, op.point.y, shown.size)}`;

function effect(event: GomokuEvent & { event: "effectResolved" }, lang: Lang, names: string[]): string {
  const { card, ops, fizzled } = event.data;
  const name = names[event.player - 1] ?? "";
  if (fizzled) return fill(SAY.fizzled[lang], { card: cardName(card, lang) });
  const op = ops[0];
  if (op === undefined) return "";
  if (card === "SpontaneousGeneration") {
    const list = ops.flatMap((o) => (o.type === "place" ? [stone(o, lang)] : [])).join(lang === "en" ? ", " : "、");
    return fill(SAY.grow[lang], { list });
  }
  if (op.type === "swapAll") return SAY.swap[lang];
  if (op.type === "freeze") return fill(SAY.freeze[lang], { name: names[op.target - 1] ?? "" });
  const at = nameOf(op.point.x, op.point.y, shown.size);
  const theirs = (op.type === "place" ? op.player : 3 - event.player) as Player;
  return fill(SAY[op.type === "place" ? "place" : "take"][lang], { name, at, colour: colour(theirs, lang) }, name);
}

function ended(event: GomokuEvent & { event: "matchEnded" }, lang: Lang, names: string[]): string {
  if (event.winner === "draw") {
    return SAY[event.reason === "turnLimit" ? "drawLimit" : event.reason === "noCards" ? "drawCards" : "drawBoth"][
      lang
    ];
  }
  const name = names[event.winner - 1] ?? "";
  const both = event.reason === "simultaneousFive";
  return fill(
    SAY[both ? "wonBoth" : "won"][lang],
    { name: both && lang === "en" ? inside(name) : name, colour: colour(event.winner, lang) },
    name,
  );
}

/** One event as a sentence; "" for what goes without saying. */
export function tellEvent(given: GameEvent, lang: Lang, names: string[]): string {
  const event = given as unknown as GomokuEvent;
  switch (event.event) {
    case "turnSkipped": {
      const name = names[event.player - 1] ?? "";
      return fill(SAY.skipped[lang], { name }, name);
    }
    case "cardsDrawn":
      return event.data.reshuffled ? SAY.shuffled[lang] : "";
    case "cardChosen": {
      const name = names[event.player - 1] ?? "";
      const { card, discarded } = event.data;
      const gone = discarded ? cardName(discarded, lang) : "";
      return fill(SAY[discarded ? "chosen" : "only"][lang], { name, card: cardName(card, lang), gone }, name);
    }
    case "effectResolved":
      return effect(event, lang, names);
    case "matchEnded":
      return ended(event, lang, names);
    default:
      return "";
  }
}
