// What the game would pay if it ended now, so that buckle and reveal can say what is at stake.
// Must agree with src/qipai/games/xianqi/settle.py; the real settlement always comes from the server.

import type { View } from "./types";

export const ENOUGH = 3;
export const CERAMIC = 6;

/** Chips by seat if nobody reveals. */
export function ifItEnds(view: View): number[] {
  const chips = view.pillars.map(() => 0);
  const pay = (from: number, to: number, n: number) => {
    chips[from]! -= n;
    chips[to]! += n;
  };
  view.pillars.forEach((pillars, winner) => {
    const unit = unitOf(view, winner);
    if (pillars >= ENOUGH && unit > 0) {
      view.pillars.forEach((other, loser) => other < ENOUGH && pay(loser, winner, unit));
    }
  });
  for (const link of view.relations) {
    if (!link.was_enough && view.pillars[link.revealer]! < ENOUGH) pay(link.revealer, link.buckler, 1);
  }
  return chips;
}

function unitOf(view: View, seat: number): number {
  const pillars = view.pillars[seat]!;
  if (pillars >= CERAMIC) {
    if (view.options["eight_pillars"] === "on" && pillars >= 8) return 8;
    return view.options["first_game_limits"] === "on" ? 1 : 3;
  }
  return isBarred(view, seat) ? 0 : 1;
}

/** Whether an enough seat collects nothing. */
export function isBarred(view: View, seat: number): boolean {
  return view.unbuckled.includes(seat) || view.relations.some((link) => link.revealer === seat && link.was_enough);
}
