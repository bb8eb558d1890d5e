import { expect, test } from "vitest";
import type { Place } from "./fall";
import { Live } from "./live.svelte";
import { REPEAT_AFTER, REPEAT_EVERY, SOFT } from "./pace";
import type { Landings } from "./types";

/** Upright over each column of an empty board, and flat to the right over column 2. */
const LANDINGS: Landings = Object.fromEntries(
  [0, 4, 8, 9, 12, 16, 20].map((action) => [
    action,
    {
      y: 10,
      cells: [
        [action >> 2, 11],
        [action >> 2, 10],
      ],
    },
  ]),
);

function begun(takes = true): { live: Live; landed: Place[] } {
  const landed: Place[] = [];
  const live = new Live((place) => {
    landed.push(place);
    return takes;
  });
  live.begin({ axis: "m1", rotor: "p1", x: 2, y: 0, r: 0 }, LANDINGS);
  return { live, landed };
}

test("keys move the pair to placements that exist", () => {
  const { live } = begun();
  expect([live.move(-1, 0), live.move(0, 1), live.pair!.x]).toEqual([true, false, 1]);
  expect([live.move(1, 0), live.move(0, 1), live.pair!.r]).toEqual([true, true, 1]);
});

test("a turn without room pushes the pair aside only if kicks are on", () => {
  const { live } = begun();
  live.move(1, 0);
  expect(live.move(0, 1)).toBe(false);
  live.kicks = true;
  expect([live.move(0, 1), live.pair!.x, live.pair!.r]).toEqual([true, 2, 1]);
});

test("a held key repeats after a while", () => {
  const { live } = begun();
  live.hold(-1);
  live.pass(REPEAT_AFTER - 1, 0);
  expect(live.pair!.x).toBe(1);
  live.pass(1 + REPEAT_EVERY, 0);
  expect(live.pair!.x).toBe(0);
  expect(live.holds(-1)).toBe(true);
});

test("time lowers the pair, faster while the down key is held", () => {
  const { live } = begun();
  live.pass(999, 1000);
  expect(live.pair!.y).toBe(0);
  live.pass(1, 1000);
  expect(live.pair!.y).toBe(1);
  live.soft = true;
  live.pass(1000 / SOFT, 1000);
  expect(live.pair!.y).toBe(2);
  live.pass(100_000, 0);
  expect(live.pair!.y).toBe(2);
});

test("the step below the last row lands, once", () => {
  const { live, landed } = begun();
  for (let i = 0; i < 11; i++) live.step();
  expect(landed.map(({ x, y, r }) => [x, y, r])).toEqual([[2, 10, 0]]);
  expect(live.sent).toBe(true);
  live.drop();
  expect([live.move(-1, 0), landed.length]).toEqual([false, 1]);
});

test("a refused placement starts again from the top", () => {
  const { live, landed } = begun(false);
  live.drop();
  expect([landed.length, live.sent, live.pair!.y]).toEqual([1, false, 0]);
});

test("a click on a column places at once", () => {
  const { live, landed } = begun();
  live.put(4, 0);
  expect(landed[0]).toMatchObject({ x: 4, y: 10, r: 0 });
  live.end();
  expect(live.pair).toBeNull();
});
