// What interrupts live play: which allocations are answered without a question, and when HOLD waits for a person.

import { HAND_MAX, type Alloc, type Code, type Sides } from "./types";

const sameKind = (a: Code, b: Code): boolean => a[0] === b[0] && a[1]!.replace("0", "5") === b[1]!.replace("0", "5");

/**
 * What is kept while there is only one sensible choice, or null where the player is asked.
 * Everything is kept while it fits into the hand. With `single`, a complete hand is taken, and tiles without an
 * equal one outside the melds and the pair are let go as suggested; red fives never.
 */
export function answerTo({ tiles, groups, suggest }: Alloc, single: boolean): boolean[] | null {
  if (tiles.length <= HAND_MAX) return tiles.map(() => true);
  if (!single) return null;
  const grouped = new Set(groups.flat());
  if (grouped.size === HAND_MAX) return suggest;
  const loose = tiles.map((_, i) => i).filter((i) => !grouped.has(i));
  const paired = (i: number): boolean => loose.some((j) => j !== i && sameKind(tiles[i]!, tiles[j]!));
  const matters = (i: number): boolean => grouped.has(i) || tiles[i]![1] === "0" || paired(i);
  return tiles.some((_, i) => !suggest[i] && matters(i)) ? null : suggest;
}

/** Whether HOLD is shown until the player goes on, not as a short notice. */
export const stops = ({ player, cpu }: Sides): boolean => player.won || cpu.won;
