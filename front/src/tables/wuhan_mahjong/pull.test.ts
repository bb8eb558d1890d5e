import { describe, expect, it } from "vitest";
import { isOut, isPulled } from "./pull";

const held = (dx: number, dy: number) => ({ fromX: 0, fromY: 0, dx, dy });

describe("a tile under the pointer", () => {
  it("stays for a click whose pointer slips", () => {
    expect([held(0, 0), held(5, -5)].map(isPulled)).toEqual([false, false]);
    expect(isPulled(held(0, 9))).toBe(true);
  });

  it("is discarded above the hand only, not next to it", () => {
    expect(isOut(held(0, -60), 50)).toBe(true);
    expect(isOut(held(300, -20), 50)).toBe(false);
    expect(isOut(held(0, 80), 50)).toBe(false);
    expect(isOut(held(0, -4), 2)).toBe(false);
  });
});
