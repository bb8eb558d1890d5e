// The status line: whose turn it is and which number is wanted; why a card cannot be turned up; names of cards.

import type { Line } from "../../lib/message";
import { isCentre, placeOf, seatOf } from "./cards";
import type { Frame } from "./motion";
import type { End, Slot, View } from "./types";
import { type Key, line } from "./words";

export interface Moment {
  view: View;
  frame: Frame | null;
  live: boolean;
  frozen: boolean;
  over: boolean;
  seat: number;
}

/** What is going on, and what the viewer may do about it. */
export function asked({ view, frame, live, seat }: Moment): Line {
  const chain = frame?.chain ?? view.face_up;
  const first = chain[0]?.number;
  const by = frame?.by ?? view.current;
  const who = { seat: by };
  const newest = chain.at(-1)?.number;
  if (newest !== first) return line("ask.failing", { n: newest!, first: first! });
  if (frame?.mood === "bad") return line("ask.missed");
  if (first !== undefined && chain.length === 3) return line("ask.taking", { n: first, who });
  if (view.phase === "game-over" && frame === null)
    return line("ask.both", { one: headline(view), other: reason(view) });
  const mine = by === seat && (live || frame !== null);
  if (first !== undefined) {
    const last = chain.length === 2;
    return mine
      ? line(last ? "ask.one_more" : "ask.two_more", { n: first })
      : line(last ? "ask.their_one_more" : "ask.their_two_more", { n: first, who });
  }
  const won = view.last?.by === by && by === view.current ? view.removed[view.last.slots[0] ?? ""] : undefined;
  if (mine) return won !== undefined ? line("ask.again", { n: won }) : line("ask.first");
  const missed =
    view.last !== null && view.last.by !== view.current && view.last.slots.every((slot) => !(slot in view.removed));
  const turn = line("ask.their_turn", { who });
  return missed ? line("ask.both", { one: line("ask.missed"), other: turn }) : turn;
}

/** Who won, or that nobody did. */
export function headline(view: View): Line {
  return view.winner === null ? line("result.nobody") : line("result.win", { who: { seat: view.winner } });
}

/** Why it ended so, with the numbers. */
export function reason(view: View): Line {
  const { winning } = view;
  if (winning === null) {
    return view.end === "cap" ? line("result.cap", { n: view.max_turns }) : line("result.exhausted");
  }
  if (winning.link !== null) {
    const [a, b] = winning.numbers;
    return line(winning.link === "sum" ? "result.sum" : "result.difference", { a: a!, b: b! });
  }
  if (view.win_reason === "sevens") return line("result.sevens");
  return line("result.three-trios", { trios: { list: winning.numbers } });
}

/** Why a card cannot be turned up now; null when it can. */
export function whyNot(slot: Slot, can: boolean, { view, live, frozen, over, seat }: Moment): Line | null {
  if (over || view.phase === "game-over") return line("refuse.over");
  if (can) return null;
  if (view.face_up.some((link) => link.slot === slot)) return line("refuse.up");
  if (seat < 0) return line("refuse.watch");
  if (live) return line("refuse.middle");
  return frozen && view.current === seat ? line("refuse.wait") : line("refuse.turn", { who: { seat: view.current } });
}

export interface Sight {
  /** What the viewer sees on it. */
  number: number | null;
  up: boolean;
  /** Everyone has seen it (shown only with the memory aid). */
  seen: number | null;
  last: boolean;
}

const ENDS: Record<End, Key> = { low: "card.low", high: "card.high", only: "card.only" };

/** Describes a card for screen readers: whose, which, and what is visible. */
export function cardName(slot: Slot, end: End | null, sight: Sight): Line {
  const parts = [placeName(slot, end)];
  if (sight.up) parts.push(line("card.up", { n: sight.number! }));
  else if (sight.number !== null) parts.push(line("card.own", { n: sight.number }));
  else parts.push(line("card.down"));
  if (!sight.up && sight.seen !== null)
    parts.push(sight.number === null ? line("card.seen", { n: sight.seen }) : line("card.seen_by_all"));
  if (sight.last && !sight.up) parts.push(line("card.last"));
  return line("list", { items: { list: parts } });
}

function placeName(slot: Slot, end: End | null): Line {
  const n = placeOf(slot) + 1;
  if (isCentre(slot)) return line("card.centre", { n });
  const owner = { seat: seatOf(slot) };
  return end === null ? line("card.middle", { owner, n }) : line(ENDS[end], { owner });
}
