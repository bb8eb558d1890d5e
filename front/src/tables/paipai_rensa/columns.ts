// The columns to choose from when nothing falls: what a click on each would do.

import type { Place } from "./fall";
import type { Pair } from "./live.svelte";
import { COLS } from "./types";
import { tile, where, type Say } from "./words";

/** `action` null: no room there this way round. */
export interface Column {
  x: number;
  action: number | null;
  glows: boolean;
  label: string;
  hinted: boolean;
}

/**
 * The columns for the pair that is held; `wanted` is where a lesson wants it.
 * Without a pair they stay, so that the focus is not lost while a move is on its way.
 */
export function columnsOf(held: Pair | null, legal: number[], wanted: Place | null, say: Say): Column[] {
  return Array.from({ length: COLS }, (_, x): Column => {
    if (!held) return { x, action: null, glows: false, label: say("table.column", { n: x + 1 }), hinted: false };
    const hinted = wanted?.x === x;
    const r = hinted ? wanted.r : held.r;
    const action = legal.includes(x * 4 + r) ? x * 4 + r : null;
    const words = { n: x + 1, axis: tile(held.axis), rotor: tile(held.rotor), where: where(r) };
    const label = say(action === null ? "refuse.column" : "table.column_label", words);
    return { x, action, glows: action !== null && wanted === null, label, hinted };
  });
}
