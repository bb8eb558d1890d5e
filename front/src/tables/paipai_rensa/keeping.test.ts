import { expect, test } from "vitest";
import { shapeOf } from "./keeping";
import type { Alloc } from "./types";

const alloc = (codes: string, groups: number[][], drop: number[] = [], waits: string[] = []): Alloc => {
  const tiles = codes.split(" ");
  const suggest = tiles.map((_, i) => !drop.includes(i));
  return { tiles, groups, suggest, waits, assign: [], cursor: 0, kept: 0 };
};
const keep = (list: Alloc, ...out: number[]): boolean[] => list.tiles.map((_, i) => !out.includes(i));

const LIST = alloc("m1 m2 m3 zE zE m1 p9", [
  [0, 1, 2],
  [3, 4],
]);

test("melds and the pair that are kept whole are shown as such", () => {
  expect(shapeOf(LIST, keep(LIST))).toEqual({
    melds: [["m1", "m2", "m3"]],
    pair: ["zE", "zE"],
    rest: ["m1", "p9"],
    complete: false,
    waits: [],
  });
});

test("a meld that misses a tile falls apart", () => {
  const shape = shapeOf(LIST, keep(LIST, 1, 4));
  expect([shape.melds, shape.pair]).toEqual([[], null]);
  expect(shape.rest).toEqual(["m1", "m1", "m3", "p9", "zE"]);
});

test("equal tiles stand in for each other, a plain five for a red one", () => {
  expect(shapeOf(LIST, keep(LIST, 0)).melds).toEqual([["m1", "m2", "m3"]]);
  const fives = alloc("m4 m0 m6 m5", [[0, 1, 2]]);
  expect(shapeOf(fives, keep(fives, 1)).melds).toEqual([["m4", "m5", "m6"]]);
  const honours = alloc("zE zE zS", [[0, 1]]);
  expect(shapeOf(honours, keep(honours, 1)).pair).toBeNull();
});

test("fourteen tiles in whole groups are complete", () => {
  const groups = [
    [0, 1, 2],
    [3, 4, 5],
    [6, 7, 8],
    [9, 10, 11],
    [12, 13],
  ];
  const list = alloc("m1 m2 m3 p1 p2 p3 s1 s2 s3 zE zE zE zS zS m9", groups, [14], ["m9"]);
  expect(shapeOf(list, keep(list, 14)).complete).toBe(true);
  expect(shapeOf(list, keep(list, 14)).waits).toEqual([]);
  expect(shapeOf(list, keep(list)).complete).toBe(false);
  expect(shapeOf(list, keep(list, 0)).complete).toBe(false);
});

test("waits are shown for the suggested hand only", () => {
  const list = alloc("m1 m2 m3 zE zE m1 p9", LIST.groups, [6], ["p1"]);
  expect(shapeOf(list, keep(list, 6)).waits).toEqual(["p1"]);
  expect(shapeOf(list, keep(list, 5)).waits).toEqual([]);
});
