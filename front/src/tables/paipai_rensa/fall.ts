// The falling pair at the fine level: where it is free to go. What lands is still for the server to say.

import { COLS, ROWS, type Board } from "./types";

/** The axis is at (x, y + 1); r says where the rotor is: 0 above, 1 right, 2 below, 3 left. */
export interface Place {
  x: number;
  y: number;
  r: number;
}
export type Cell = [x: number, y: number];

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

export function isFree(board: Board, place: Place): boolean {
  return cellsOf(place).every(([x, y]) => x >= 0 && x < COLS && y < ROWS && !board[y]?.[x]);
}

/** The place after a move, or the same one: there are no kicks. */
export function moved(board: Board, place: Place, dx: number, turn: number): Place {
  const to = { x: place.x + dx, y: place.y, r: (place.r + turn + 4) % 4 };
  return isFree(board, to) ? to : place;
}

/** One row down; null: it lands here. */
export function lowered(board: Board, place: Place): Place | null {
  const to = { ...place, y: place.y + 1 };
  return isFree(board, to) ? to : null;
}

/** Where it lands if nothing is pressed. */
export function landing(board: Board, place: Place): Place {
  let at = place;
  for (let next = lowered(board, at); next; next = lowered(board, at)) at = next;
  return at;
}

/** The two cells after landing and coming to rest: the half without support drops on. */
export function resting(board: Board, place: Place): [Cell, Cell] {
  const [axis, rotor] = cellsOf(landing(board, place));
  const top = (x: number): number => {
    const y = board.findIndex((row) => row[x]);
    return (y < 0 ? ROWS : y) - 1;
  };
  if (axis[0] === rotor[0]) return [axis, rotor];
  const rest = ([x, y]: Cell): Cell => [x, Math.max(y, top(x))];
  return [rest(axis), rest(rotor)];
}

export const actionOf = ({ x, r }: Place): number => x * 4 + r;
