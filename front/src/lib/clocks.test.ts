import { describe, expect, it } from "vitest";
import { clocksOf, readable } from "./clocks";
import type { SeatInfo, State, TableInfo } from "./wire";

const seat = (n: number, more: Partial<SeatInfo> = {}) => ({ seat: n, kind: "person", away: false, ...more });
const table = (clock: number, seats = [seat(0), seat(1), seat(2)]) => ({ clock, seats }) as unknown as TableInfo;
const state = (more: Partial<State>) => ({ over: false, turn: null, clock: null, turn_clock: null, ...more }) as State;
const none = { own: null, turn: null };

describe("the clocks of a table", () => {
  it("run for the seat to move, and are full for the others", () => {
    const now = state({ turn: 1, turn_clock: { left: 500, total: 60_000 } });
    const idle = { total: 60_000, deadline: null };
    for (const you of [0, -1])
      expect(clocksOf(table(60), now, you, { own: null, turn: 77 })).toEqual([
        idle,
        { total: 60_000, deadline: 77 },
        idle,
      ]);
  });

  it("tell in a window only the viewer's own", () => {
    const claim = state({ clock: { left: 2000, total: 4000 } });
    expect(clocksOf(table(0), claim, 2, { own: 5, turn: null })).toEqual([null, null, { total: 4000, deadline: 5 }]);
    expect(clocksOf(table(60), claim, 2, { own: 5, turn: null })[0]).toEqual({ total: 60_000, deadline: null });
  });

  it("are not there for bots and absent people, without a limit, and when the hand is over", () => {
    const mixed = table(60, [seat(0, { kind: "bot" }), seat(1, { away: true }), seat(2)]);
    expect(clocksOf(mixed, state({}), 2, none).map((one) => one !== null)).toEqual([false, false, true]);
    expect(clocksOf(table(0), state({ turn: 0 }), 0, none)).toEqual([null, null, null]);
    expect(clocksOf(table(60), state({ over: true }), 0, none)).toEqual([null, null, null]);
    expect(clocksOf(table(60), null, 0, none)).toEqual([null, null, null]);
  });

  it("are read in seconds, and in minutes from one on", () => {
    expect([-5, 0, 44_100, 59_001, 90_000].map(readable)).toEqual(["0", "0", "45", "1:00", "1:30"]);
  });
});
