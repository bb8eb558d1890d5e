import { describe, expect, it } from "vitest";
import { film } from "./motion";
import type { Entry, View, XianqiEvent } from "./types";

const entry = (seat: number, power: number): Entry => ({ seat, power, cards: { R_SHI: 1 } });
const view = (entries: Entry[], rounds: Entry[][] = [], pillars = [0, 0, 0]): View =>
  ({
    round: { entries },
    rounds: rounds.map((of) => ({ entries: of })),
    pillars,
  }) as unknown as View;
const play = (seat: number, power: number): XianqiEvent => ({
  event: "play",
  seat,
  action: 0,
  cards: { R_SHI: 1 },
  power,
  lead: false,
});

describe("film", () => {
  it("starts with what lay on the table before", () => {
    const frames = film(view([entry(0, 3), entry(1, 5)]), [play(1, 5)]);
    expect(frames).toHaveLength(1);
    expect(frames[0]!.trick.map((one) => one.seat)).toEqual([0, 1]);
    expect([frames[0]!.fresh, frames[0]!.best]).toEqual([1, 1]);
  });

  it("does not let a cover lead", () => {
    const cover: XianqiEvent = { event: "cover", seat: 1, count: 1 };
    const frames = film(view([entry(0, 0), { seat: 1, power: -1, covered_count: 1 }]), [cover]);
    expect(frames[0]!.best).toBe(0);
    expect(frames[0]!.trick[1]).toEqual({ seat: 1, power: -1, covered_count: 1 });
  });

  it("sweeps a finished round to its winner and then counts the pillars", () => {
    const round: XianqiEvent = { event: "round", round: 0, winner: 1, kind: 2, pillars: [0, 2, 0] };
    const now = view([entry(1, 4)], [[entry(0, 3), entry(1, 5)]], [0, 2, 0]);
    const frames = film(now, [play(1, 5), round, play(1, 4)]);
    expect(frames.map((frame) => frame.sweep)).toEqual([null, null, 1, null]);
    expect(frames.map((frame) => frame.pillars[1])).toEqual([0, 0, 0, 2]);
    expect(frames[0]!.trick).toHaveLength(2);
    expect(frames[3]!.trick).toHaveLength(1);
  });

  it("stamps what is said, and tells an answer from a choice not to buckle", () => {
    const frames = film(view([]), [
      { event: "buckle", seat: 0, asked: [1] },
      { event: "pass", seat: 1, asked: true },
      { event: "reveal", seat: 2, buckler: 0, was_enough: false },
      { event: "pass", seat: 1, asked: false },
    ]);
    expect(frames.map((frame) => frame.stamp?.word)).toEqual([
      "table.stamp.buckle",
      "table.stamp.pass",
      "table.stamp.reveal",
      "table.stamp.open",
    ]);
  });

  it("shows the deal, and nothing for what has no picture", () => {
    expect(film(view([]), [{ event: "start" }])).toMatchObject([{ deal: true, sound: "deal" }]);
    const settlement = { event: "settlement", payoff: [0, 0, 0] } as unknown as XianqiEvent;
    expect(film(view([]), [settlement])).toEqual([]);
  });
});
