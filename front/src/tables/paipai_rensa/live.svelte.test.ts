import { beforeEach, describe, expect, it, vi } from "vitest";
import { Live } from "./live.svelte";
import { COLS, ROWS, type Board } from "./types";

const empty: Board = Array.from({ length: ROWS }, () => Array<string | null>(COLS).fill(null));
const PAIR = { x: 2, y: 0, r: 0, axis: "m1", rotor: "p1" };

describe("Live", () => {
  const land = vi.fn();
  let live: Live;
  beforeEach(() => {
    land.mockReset().mockReturnValue(true);
    live = new Live(land);
    live.begin(PAIR, empty);
  });

  it("moves where there is room, and says whether it did", () => {
    expect(live.move(-1, 0)).toBe(true);
    expect(live.move(-1, 0)).toBe(true);
    expect(live.move(-1, 0)).toBe(false);
    expect(live.pair!.x).toBe(0);
  });

  it("falls one row for each interval, and faster while the down key is held", () => {
    live.pass(999, 1000);
    expect(live.pair!.y).toBe(0);
    live.pass(1, 1000);
    expect(live.pair!.y).toBe(1);
    live.soft = true;
    live.pass(250, 1000);
    expect(live.pair!.y).toBe(2);
  });

  it("does not fall where the pace is none", () => {
    live.pass(60_000, 0);
    expect(live.pair!.y).toBe(0);
  });

  it("repeats a held key after a while", () => {
    live.hold(1);
    expect([live.pair!.x, live.holds(1)]).toEqual([3, true]);
    live.pass(349, 0);
    expect(live.pair!.x).toBe(3);
    live.pass(51, 0);
    expect(live.pair!.x).toBe(5);
    live.hold(0);
    expect(live.holds(1)).toBe(false);
  });

  it("hands on its placement when it lands, and is then out of reach", () => {
    live.drop();
    expect(land).toHaveBeenCalledWith(expect.objectContaining({ x: 2, r: 0, y: ROWS - 2 }));
    expect(live.sent).toBe(true);
    expect(live.move(1, 0)).toBe(false);
    live.step();
    live.drop();
    expect(land).toHaveBeenCalledTimes(1);
  });

  it("starts from the top again when the placement is not taken", () => {
    land.mockReturnValue(false);
    live.put(4, 1);
    expect([live.sent, live.pair!.y, live.pair!.x]).toEqual([false, 0, 4]);
  });

  it("lands by steps as by a drop", () => {
    for (let row = 0; row < ROWS - 2; row++) live.step();
    expect(land).not.toHaveBeenCalled();
    live.step();
    expect(land).toHaveBeenCalledTimes(1);
  });

  it("lets go of everything at the end", () => {
    live.hold(1);
    live.end();
    expect([live.pair, live.holds(1), live.move(1, 0)]).toEqual([null, false, false]);
  });
});
