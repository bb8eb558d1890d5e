// The moves of the falling pair. The view says for every placement where it may go and where it lands.

import type { Cell, Landing, Landings } from "./types";

/** The axis is at (x, y + 1); r says where the rotor is: 0 above, 1 right, 2 below, 3 left. */
export interface Place {
  x: number;
  y: number;
  r: number;
}

const ROTOR: Cell[] = [
  [0, 0],
  [1, 1],
  [0, 2],
  [-1, 1],
];

/** Axis, then rotor. */
export function cellsOf({ x, y, r }: Place): [Cell, Cell] {
  const [dx, dy] = ROTOR[r]!;
  return [
    [x, y + 1],
    [x + dx, y + dy],
  ];
}

export const actionOf = ({ x, r }: Place): number => x * 4 + r;

const landingOf = (landings: Landings, place: Place): Landing | undefined => landings[actionOf(place)];

/** Whether a pair may be there: down to where it would land. */
export const isFree = (landings: Landings, place: Place): boolean => place.y <= (landingOf(landings, place)?.y ?? -1);

/** Where a blocked turn may go instead, by the new rotation: away from the wall, or up from the tile below. */
const KICKS: Cell[][] = [
  [[0, -1], [-1, 0], [1, 0]],
  [[-1, 0], [1, 0], [0, -1]],
  [[0, -1], [-1, 0], [1, 0]],
  [[1, 0], [-1, 0], [0, -1]],
]; // prettier-ignore

/** The place after a move, or the same place if it is blocked. With `kicks` a turn may push the pair aside. */
export function moved(landings: Landings, place: Place, dx: number, turn: number, kicks = false): Place {
  const to = { x: place.x + dx, y: place.y, r: (place.r + turn + 4) % 4 };
  if (isFree(landings, to)) return to;
  if (!kicks || turn === 0) return place;
  const tries = KICKS[to.r]!.map(([x, y]) => ({ ...to, x: to.x + x, y: to.y + y }));
  return tries.find((at) => at.y >= 0 && isFree(landings, at)) ?? place;
}

/** One row down; null: it lands here. */
export function lowered(landings: Landings, place: Place): Place | null {
  const to = { ...place, y: place.y + 1 };
  return isFree(landings, to) ? to : null;
}

/** Where it lands if nothing is pressed. */
export const landing = (landings: Landings, place: Place): Place => ({
  ...place,
  y: Math.max(place.y, landingOf(landings, place)?.y ?? -1),
});

/** The two cells where axis and rotor come to rest. */
export const resting = (landings: Landings, place: Place): Cell[] => landingOf(landings, place)?.cells ?? [];

/** Whether the pair covers tiles at its spawn, and would crush them if it landed there. */
export const isBlocked = (landings: Landings, place: Place): boolean => landingOf(landings, place)?.y === -1;
