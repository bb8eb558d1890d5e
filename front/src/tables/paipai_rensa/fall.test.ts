import { expect, test } from "vitest";
import { actionOf, cellsOf, isBlocked, landing, lowered, moved, resting } from "./fall";
import type { Landings } from "./types";

// column 0 upright, 1 upright and flat to the right; the spawn above column 2 is blocked
const LANDINGS: Landings = {
  0: { y: 10, cells: [[0, 11], [0, 10]] }, // prettier-ignore
  4: { y: 4, cells: [[1, 5], [1, 4]] }, // prettier-ignore
  5: { y: 3, cells: [[1, 5], [2, 4]] }, // prettier-ignore
  8: { y: -1, cells: [[2, 1], [2, 0]] }, // prettier-ignore
};

test("the rotor goes round the axis", () => {
  const rotors = [0, 1, 2, 3].map((r) => cellsOf({ x: 2, y: 0, r })[1]);
  expect(rotors).toEqual([
    [2, 0],
    [3, 1],
    [2, 2],
    [1, 1],
  ]);
  expect(cellsOf({ x: 2, y: 3, r: 1 })[0]).toEqual([2, 4]);
});

test("a move is refused where no placement is, or below where it would land", () => {
  const at = { x: 1, y: 0, r: 0 };
  expect(moved(LANDINGS, at, -1, 0)).toEqual({ x: 0, y: 0, r: 0 });
  expect(moved(LANDINGS, at, 0, 1)).toEqual({ x: 1, y: 0, r: 1 });
  expect(moved(LANDINGS, at, 0, -1)).toBe(at);
  expect(moved(LANDINGS, { x: 0, y: 0, r: 0 }, -1, 0)).toEqual({ x: 0, y: 0, r: 0 });
  const low = { x: 0, y: 5, r: 0 };
  expect(moved(LANDINGS, low, 1, 0)).toBe(low);
  expect(moved(LANDINGS, { x: 0, y: 4, r: 0 }, 1, 0)).toEqual({ x: 1, y: 4, r: 0 });
});

test("a pair falls row by row and lands where the view says", () => {
  expect(lowered(LANDINGS, { x: 1, y: 3, r: 0 })).toEqual({ x: 1, y: 4, r: 0 });
  expect(lowered(LANDINGS, { x: 1, y: 4, r: 0 })).toBeNull();
  expect(landing(LANDINGS, { x: 1, y: 0, r: 1 }).y).toBe(3);
  expect(resting(LANDINGS, { x: 1, y: 0, r: 1 })).toEqual([
    [1, 5],
    [2, 4],
  ]);
  expect(resting(LANDINGS, { x: 5, y: 0, r: 0 })).toEqual([]);
});

test("a blocked pair lands where it is, may move away and not come back", () => {
  const spawn = { x: 2, y: 0, r: 0 };
  expect(isBlocked(LANDINGS, spawn)).toBe(true);
  expect(lowered(LANDINGS, spawn)).toBeNull();
  expect(landing(LANDINGS, spawn)).toEqual(spawn);
  const away = moved(LANDINGS, spawn, -1, 0);
  expect(away).toEqual({ x: 1, y: 0, r: 0 });
  expect(moved(LANDINGS, away, 1, 0)).toBe(away);
  expect(isBlocked(LANDINGS, away)).toBe(false);
});

test("a placement is column and rotation", () => {
  expect(actionOf({ x: 5, y: 7, r: 2 })).toBe(22);
});

// Columns 0, 1 and 2: column 1 is a shaft of depth 10 between tiles up to row 4.
const SHAFT: Landings = {
  0: { y: 2, cells: [[0, 3], [0, 2]] }, // prettier-ignore
  1: { y: 2, cells: [[0, 3], [1, 11]] }, // prettier-ignore
  2: { y: 1, cells: [[0, 2], [0, 3]] }, // prettier-ignore
  4: { y: 10, cells: [[1, 11], [1, 10]] }, // prettier-ignore
  5: { y: 2, cells: [[1, 11], [2, 3]] }, // prettier-ignore
  6: { y: 9, cells: [[1, 10], [1, 11]] }, // prettier-ignore
  7: { y: 2, cells: [[1, 11], [0, 3]] }, // prettier-ignore
  8: { y: 2, cells: [[2, 3], [2, 2]] }, // prettier-ignore
  11: { y: 2, cells: [[2, 3], [1, 11]] }, // prettier-ignore
};

test("a turn against a wall pushes the pair away from it, if kicks are on", () => {
  const wall = { x: 0, y: 1, r: 0 };
  expect(moved(SHAFT, wall, 0, -1)).toBe(wall);
  expect(moved(SHAFT, wall, 0, -1, true)).toEqual({ x: 1, y: 1, r: 3 });
  const right = { x: 2, y: 2, r: 0 };
  expect(moved(SHAFT, right, 0, 1, true)).toEqual({ x: 1, y: 2, r: 1 });
});

test("a turn onto a tile lifts the pair by one row, and no further than the top", () => {
  expect(moved(SHAFT, { x: 0, y: 2, r: 1 }, 0, 1, true)).toEqual({ x: 0, y: 1, r: 2 });
  const top = { x: 2, y: 0, r: 1 };
  const alone: Landings = { 10: { y: -1, cells: [[2, 1], [2, 2]] } }; // prettier-ignore
  expect(moved(alone, top, 0, 1, true)).toBe(top);
});

test("deep in a shaft a turn stays blocked, and a move is never kicked", () => {
  const deep = { x: 1, y: 6, r: 0 };
  expect(moved(SHAFT, deep, 0, 1, true)).toBe(deep);
  expect(moved(SHAFT, deep, 0, -1, true)).toBe(deep);
  expect(moved(SHAFT, deep, 1, 0, true)).toBe(deep);
  expect(moved(SHAFT, { x: 0, y: 2, r: 0 }, -1, 0, true)).toEqual({ x: 0, y: 2, r: 0 });
});

test("no kick leads to a placement that the view does not list", () => {
  for (const x of [-1, 0, 1, 2, 5, 6])
    for (const y of [0, 3, 10])
      for (const r of [0, 1, 2, 3])
        for (const turn of [-1, 1]) {
          const at = { x, y, r };
          const to = moved(SHAFT, at, 0, turn, true);
          if (to !== at) expect(Object.keys(SHAFT)).toContain(String(actionOf(to)));
        }
});
