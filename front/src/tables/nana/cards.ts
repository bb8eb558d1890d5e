// Slots by name, and the colours of the cards.

import type { Slot } from "./types";

export const isCentre = (slot: Slot): boolean => slot.startsWith("c");
/** The seat a hand slot was dealt to. */
export const seatOf = (slot: Slot): number => Number(slot.slice(1, slot.indexOf(".")));
/** The place within its hand or the centre, from 0. */
export const placeOf = (slot: Slot): number => Number(slot.slice(isCentre(slot) ? 1 : slot.indexOf(".") + 1));

/** The numbers that the view connects with `n`. */
export function partners(n: number, pairs: [number, number][]): number[] {
  return pairs.filter((pair) => pair.includes(n)).map(([a, b]) => (a === n ? b : a));
}

/** Ink for each number, dark enough on ivory; the number itself is always printed too. */
export const INK = [
  "",
  "#b3372f",
  "#a9520f",
  "#806300",
  "#557012",
  "#1f7444",
  "#0d7272",
  "#8f5a00",
  "#1d639f",
  "#3b4fb0",
  "#6a3fa8",
  "#93298a",
  "#a32a5a",
];
