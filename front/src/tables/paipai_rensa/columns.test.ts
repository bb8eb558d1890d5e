import { expect, test } from "vitest";
import { columnsOf } from "./columns";
import type { Pair } from "./live.svelte";
import { speaker } from "./words";

const say = speaker("en");
const PAIR: Pair = { axis: "m1", rotor: "zE", x: 2, y: 0, r: 1 };

test("a column names what a click puts there, and says where there is no room", () => {
  const columns = columnsOf(PAIR, [1, 5, 8], null, say);
  expect(columns.map((c) => c.action)).toEqual([1, 5, null, null, null, null]);
  expect(columns.map((c) => c.glows)).toEqual([true, true, false, false, false, false]);
  expect(columns[0]!.label).toBe(say("table.column_label", { n: 1, axis: ["tile.m1", {}], rotor: ["tile.zE", {}], where: ["log.where.right", {}] })); // prettier-ignore
  expect(columns[2]!.label).toContain("3");
  expect(columns[2]!.label).not.toBe(columns[0]!.label);
});

test("a lesson turns the pair in its column, and nothing else glows", () => {
  const columns = columnsOf(PAIR, [1, 5, 8], { x: 2, y: 0, r: 0 }, say);
  expect(columns.map((c) => c.hinted)).toEqual([false, false, true, false, false, false]);
  expect(columns[2]!.action).toBe(8);
  expect(columns.some((c) => c.glows)).toBe(false);
});

test("without a pair the columns stay and do nothing", () => {
  const columns = columnsOf(null, [1, 5], null, say);
  expect(columns).toHaveLength(6);
  expect(columns.every((c) => c.action === null && !c.glows)).toBe(true);
});
