// Slots and actions by number, the colours of the cards, and what a collection still wants.

import type { Slot, View } from "./types";

export const CENTRE_ACTION = 12;
const SEVEN = 7;

export const isCentre = (slot: Slot): boolean => slot.startsWith("c");
/** The seat a hand slot was dealt to. */
export const seatOf = (slot: Slot): number => Number(slot.slice(1, slot.indexOf(".")));
/** The place within its hand or the centre, from 0. */
export const placeOf = (slot: Slot): number => Number(slot.slice(isCentre(slot) ? 1 : slot.indexOf(".") + 1));

/** What turns up the head or the tail of `seat`'s hand, when `actor` moves. */
export function endAction(seat: number, actor: number, players: number, tail: boolean): number {
  return 2 * ((seat - actor + players) % players) + (tail ? 1 : 0);
}

/** Numbers whose sum or difference with `n` is 7. */
export function partners(n: number, numbers: number[]): number[] {
  return numbers.filter((m) => m !== n && n !== SEVEN && m !== SEVEN && (m + n === SEVEN || Math.abs(m - n) === SEVEN));
}

/** Every connected pair among `numbers`, once. */
export function pairs(numbers: number[]): [number, number][] {
  return numbers.flatMap((n) =>
    partners(n, numbers)
      .filter((m) => m > n)
      .map((m): [number, number] => [n, m]),
  );
}

/** For words only: the numbers still on the table that would win for `seat` at once; "any" when every one does. */
export function wanted(view: View, seat: number): number[] | "any" {
  const own = view.collections[seat] ?? [];
  if (view.mode !== "spicy" && own.length >= 2) return "any";
  const taken = new Set(view.collections.flat());
  const linked = view.mode === "simple" ? [] : own.flatMap((n) => partners(n, view.numbers));
  return view.numbers.filter((n) => !taken.has(n) && (n === SEVEN || linked.includes(n)));
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
