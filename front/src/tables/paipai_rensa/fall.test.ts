import { describe, expect, it } from "vitest";
import { actionOf, cellsOf, isFree, landing, lowered, moved, resting } from "./fall";
import { COLS, ROWS, type Board } from "./types";

/** A board from its lowest rows, "." for empty. */
function board(...rows: string[]): Board {
  const empty = Array.from({ length: ROWS - rows.length }, () => Array<string | null>(COLS).fill(null));
  return [...empty, ...rows.map((row) => [...row].map((c) => (c === "." ? null : "m1")))];
}

describe("cellsOf", () => {
  it("puts the rotor above, right, below and left of the axis", () => {
    expect([0, 1, 2, 3].map((r) => cellsOf({ x: 2, y: 0, r })[1])).toEqual([
      [2, 0],
      [3, 1],
      [2, 2],
      [1, 1],
    ]);
  });
});

describe("isFree", () => {
  it("refuses walls, the floor and tiles, and allows the space above the board", () => {
    expect(isFree(board(), { x: 5, y: 0, r: 1 })).toBe(false);
    expect(isFree(board(), { x: 0, y: 0, r: 3 })).toBe(false);
    expect(isFree(board(), { x: 0, y: ROWS - 1, r: 0 })).toBe(false);
    expect(isFree(board("x....."), { x: 0, y: ROWS - 2, r: 0 })).toBe(false);
    expect(isFree(board(), { x: 0, y: -1, r: 0 })).toBe(true);
  });
});

describe("moved", () => {
  it("turns both ways round and moves sideways", () => {
    expect(moved(board(), { x: 2, y: 0, r: 0 }, 0, -1)).toEqual({ x: 2, y: 0, r: 3 });
    expect(moved(board(), { x: 2, y: 0, r: 3 }, 1, 1)).toEqual({ x: 3, y: 0, r: 0 });
  });

  it("stays where it is when there is no room: there are no kicks", () => {
    const place = { x: 5, y: 0, r: 0 };
    expect(moved(board(), place, 0, 1)).toBe(place);
    expect(moved(board(), place, 1, 0)).toBe(place);
  });
});

describe("landing", () => {
  it("ends one row above the floor or the highest tile", () => {
    expect(landing(board(), { x: 0, y: 0, r: 0 }).y).toBe(ROWS - 2);
    expect(landing(board("x....."), { x: 0, y: 0, r: 0 }).y).toBe(ROWS - 3);
    expect(lowered(board(), { x: 0, y: ROWS - 2, r: 0 })).toBeNull();
  });
});

describe("resting", () => {
  it("lets the half without support drop on", () => {
    const tower = board("x.....", "x.....", "x.....");
    expect(resting(tower, { x: 0, y: 0, r: 1 })).toEqual([
      [0, ROWS - 4],
      [1, ROWS - 1],
    ]);
  });

  it("keeps an upright pair together", () => {
    expect(resting(board(), { x: 3, y: 0, r: 0 })).toEqual([
      [3, ROWS - 1],
      [3, ROWS - 2],
    ]);
  });
});

describe("actionOf", () => {
  it("numbers every column and turn once", () => {
    const all = Array.from({ length: COLS * 4 }, (_, i) => actionOf({ x: Math.floor(i / 4), y: 0, r: i % 4 }));
    expect(all).toEqual(all.map((_, i) => i));
  });
});
