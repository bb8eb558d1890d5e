import { describe, expect, it } from "vitest";
import { fanWidth, gridOf, poses, TALL } from "./fan";

const room = { width: 400, height: 160 };

describe("fanWidth", () => {
  it("fits the height of the room and stays within the given bounds", () => {
    expect(fanWidth(room, 6, 200) * TALL).toBeLessThan(room.height);
    expect(fanWidth(room, 6, 40)).toBe(40);
    expect(fanWidth({ width: 10, height: 10 }, 6, 80)).toBe(22);
  });
});

describe("poses", () => {
  const down = [false, false, false, false, false];

  it("keep every card within the room, in order from the left", () => {
    const w = fanWidth(room, 5, 80);
    const xs = poses(room, w, down, false, false).map((pose) => pose.x);
    expect(xs).toEqual([...xs].sort((a, b) => a - b));
    expect(xs[0]).toBeGreaterThanOrEqual(0);
    expect(xs.at(-1)! + w).toBeLessThanOrEqual(room.width);
  });

  it("are symmetrical while nothing is face up, and turned the other way across the table", () => {
    const near = poses(room, 60, down, false, true);
    const far = poses(room, 60, down, true, true);
    near.forEach((pose, i) => {
      expect(pose.turn).toBeCloseTo(-near.at(-1 - i)!.turn);
      expect(far[i]!.turn).toBeCloseTo(-pose.turn);
    });
  });

  it("put both ends on top where both can be turned up", () => {
    const z = poses(room, 60, down, false, true).map((pose) => pose.z);
    expect(Math.max(...z)).toBe(z[0]);
    expect(z[0]).toBe(z.at(-1));
    expect(z[2]).toBe(Math.min(...z));
  });

  it("give room to a card that is face up", () => {
    const gap = (up: boolean[]) => {
      const at = poses({ width: 260, height: 160 }, 70, up, false, true);
      return at[3]!.x - at[2]!.x;
    };
    expect(gap([false, false, true, false, false])).toBeGreaterThan(gap(down));
  });

  it("have nothing to say about an empty hand", () => {
    expect(poses(room, 60, [], false, false)).toEqual([]);
  });
});

describe("gridOf", () => {
  it.each([1, 5, 8, 9, 10, 12])("finds room for %i cards without an empty row", (n) => {
    const { columns, w } = gridOf(room, n, 90);
    const rows = Math.ceil(n / columns);
    expect(columns * (rows - 1)).toBeLessThan(n);
    expect(columns).toBeLessThanOrEqual(6);
    expect(w).toBeLessThanOrEqual(90);
    expect(w * columns).toBeLessThan(room.width);
  });
});
