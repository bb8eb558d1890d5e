// The status line: whose turn it is, what is asked, and why a piece cannot be chosen.

import type { Reader, Values } from "../../lib/message";
import type { Lang } from "../contract";
import { BUCKLE, DOG_PAIR, PASS, PLAYS, UNDER, isGou, playOf, type Type } from "./pieces";
import type { View } from "./types";
import { cardLine, comboLine, hiddenLine, say, seatValue } from "./words";

/** The best combo of the running round, for sentences. */
function aim(view: View): Values {
  const best = view.best;
  const entry = view.round?.entries.find((e) => e.seat === best?.seat && e.power === best.power);
  if (!best || !entry?.cards) return {};
  return { owner: seatValue(best.seat), cards: comboLine(entry.cards), power: best.power };
}

/** What is asked of whom now; `have` pieces are picked for a cover. */
export function asked(view: View, seat: number, legal: number[], have: number, lang: Lang, reader: Reader): string {
  if (view.decider === null) return say("ask.over", lang);
  const mine = legal.length > 0 && view.decider === seat;
  return mine ? askedOfMe(view, legal, have, lang, reader) : awaited(view, view.decider, lang, reader);
}

function awaited(view: View, decider: number, lang: Lang, reader: Reader): string {
  const who = { seat: seatValue(decider) };
  if (view.phase === "reveal_decision") {
    return say("ask.wait.reveal", lang, { ...who, by: seatValue(view.buckler ?? 0) }, reader);
  }
  if (view.phase !== "buckle_decision" && view.kind > 0) {
    return say("ask.wait.follow", lang, { ...who, ...aim(view), pieces: hiddenLine(view.kind) }, reader);
  }
  if (view.challenger === null) return say("ask.wait.open", lang, who, reader);
  return say("ask.wait.lead", lang, { ...who, by: seatValue(view.challenger) }, reader);
}

function askedOfMe(view: View, legal: number[], have: number, lang: Lang, reader: Reader): string {
  if (view.phase === "reveal_decision") return say("ask.reveal", lang, { by: seatValue(view.buckler ?? 0) }, reader);
  if (legal.includes(PASS)) return say("ask.buckle", lang);
  if (legal.includes(BUCKLE)) return say("ask.open", lang);
  if (view.kind === 0 && view.challenger !== null) {
    return say("ask.lead.revealed", lang, { by: seatValue(view.challenger) }, reader);
  }
  if (view.kind === 0) return say("ask.lead", lang);
  const n = view.kind;
  if (legal[0]! < UNDER) return say("ask.beat", lang, { ...aim(view), n }, reader);
  if (n === 1) return say("ask.cover", lang, { ...aim(view), pieces: hiddenLine(n) }, reader);
  return say("ask.cover.picked", lang, { ...aim(view), n, have }, reader);
}

/** Why `type` cannot be chosen now; `full`: enough pieces are picked already. */
export function whyNot(
  type: Type,
  view: View,
  seat: number,
  legal: number[],
  full: boolean,
  lang: Lang,
  reader: Reader,
): string {
  if (view.decider === null) return say("ask.over", lang);
  if (view.decider !== seat || legal.length === 0) {
    return say("refuse.turn", lang, { seat: seatValue(view.decider) }, reader);
  }
  if (view.phase === "reveal_decision") return say("refuse.answer", lang);
  if (view.phase === "buckle_decision") return say("refuse.buckle", lang);
  if (full) return say("refuse.full", lang, { n: view.kind });
  const play = view.kind === 2 && isGou(type) ? DOG_PAIR : playOf(type, view.kind);
  const cards = PLAYS[play];
  const held = view.hand ?? {};
  if (!cards || Object.entries(cards).some(([t, n]) => (held[t as Type] ?? 0) < n)) {
    return say("refuse.few", lang, { card: cardLine(type), n: view.kind });
  }
  const mine = view.powers[play] ?? 0;
  return say("refuse.weak", lang, { cards: comboLine(cards), mine, power: view.best?.power ?? 0 });
}
