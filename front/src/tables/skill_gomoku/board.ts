// The board's numbers: actions, names of points, star points, and where things lie in its drawing.

import type { Player, Point } from "./types";

export const LEFT = 0;
export const RIGHT = 1;
export const OPPONENT = 2;
export const CELL = 3; // the action of the first cell

export const STEP = 10; // between lines, in units of the drawing
export const RIM = 10; // from the outermost line to the edge

export const actionOf = (x: number, y: number, size: number): number => CELL + y * size + x;
export const pointOf = (action: number, size: number): Point => ({
  x: (action - CELL) % size,
  y: Math.floor((action - CELL) / size),
});

/** Columns are letters from the left, rows numbers from the bottom: h8 is the centre of 15 x 15. */
export const nameOf = (x: number, y: number, size: number): string => `${String.fromCharCode(97 + x)}${size - y}`;

/** The point a text names, or null. */
export function readPoint(text: string, size: number): Point | null {
  const found = /^([a-z])([1-9]\d?)$/.exec(text);
  if (!found) return null;
  const x = found[1]!.charCodeAt(0) - 97;
  const y = size - Number(found[2]);
  return x < size && y >= 0 && y < size ? { x, y } : null;
}

/** The marked points: corners and sides as on a go board, and the centre. */
export function stars(size: number): Point[] {
  const middle = size % 2 ? [(size - 1) / 2] : [];
  if (size < 9) return middle.map((m) => ({ x: m, y: m }));
  const edge = size < 13 ? 2 : 3;
  const sides = [edge, size - 1 - edge];
  const all = [...sides, ...(size >= 19 ? middle : [])];
  const points = all.flatMap((y) => all.map((x) => ({ x, y })));
  return size >= 19 ? points : [...points, ...middle.map((m) => ({ x: m, y: m }))];
}

export const other = (player: Player): Player => (player === 1 ? 2 : 1);
