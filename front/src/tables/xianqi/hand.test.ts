import { describe, expect, it } from "vitest";
import { hinted, ribbonsOf, slotsOf } from "./hand";
import { DOG_PAIR, playOf, TYPES, UNDER } from "./pieces";
import type { View } from "./types";

const view = (kind: number): View => ({ kind }) as View;
const under = (type: (typeof TYPES)[number]) => UNDER + TYPES.indexOf(type);

describe("slotsOf", () => {
  it("plays a single where one is open to it", () => {
    const slots = slotsOf({ R_SHI: 1, B_NIU: 2 }, view(0), [playOf("B_NIU", 1)]);
    expect(slots.map((slot) => [slot.key, slot.action])).toEqual([
      ["R_SHI0", null],
      ["B_NIU0", playOf("B_NIU", 1)],
      ["B_NIU1", playOf("B_NIU", 1)],
    ]);
  });

  it("plays the whole pair in a round of pairs, the dogs together", () => {
    const slots = slotsOf({ R_GOU: 1, B_GOU: 1, B_MA: 2 }, view(2), [DOG_PAIR, playOf("B_MA", 2)]);
    expect(slots.map((slot) => slot.action)).toEqual([playOf("B_MA", 2), playOf("B_MA", 2), DOG_PAIR, DOG_PAIR]);
  });

  it("covers one piece at once, and picks several for a larger cover", () => {
    const legal = [under("R_MA")];
    expect(slotsOf({ R_MA: 1 }, view(1), legal)[0]).toMatchObject({ action: under("R_MA"), pick: null });
    expect(slotsOf({ R_MA: 1 }, view(2), legal)[0]).toMatchObject({ action: null, pick: under("R_MA") });
  });
});

describe("ribbonsOf", () => {
  it("spans the pieces of a pair or triple, with every action that starts there", () => {
    const hand = { R_SHI: 2, B_NIU: 3 };
    const legal = [playOf("R_SHI", 1), playOf("R_SHI", 2), playOf("B_NIU", 2), playOf("B_NIU", 3)];
    expect(ribbonsOf(slotsOf(hand, view(0), legal), legal)).toEqual([
      { from: 0, to: 1, actions: [playOf("R_SHI", 2)] },
      { from: 2, to: 4, actions: [playOf("B_NIU", 2), playOf("B_NIU", 3)] },
    ]);
  });

  it("has none for single pieces", () => {
    expect(ribbonsOf(slotsOf({ R_SHI: 1 }, view(0), [0]), [0])).toEqual([]);
  });
});

describe("hinted", () => {
  it("points at as many copies as the hint names", () => {
    const slots = slotsOf({ B_NIU: 3 }, view(2), [under("B_NIU")]);
    expect([...hinted(slots, [under("B_NIU"), under("B_NIU")])]).toEqual(["B_NIU0", "B_NIU1"]);
  });

  it("points at every piece of a hinted play", () => {
    const slots = slotsOf({ B_MA: 2 }, view(2), [playOf("B_MA", 2)]);
    expect(hinted(slots, [playOf("B_MA", 2)]).size).toBe(2);
    expect(hinted(slots, []).size).toBe(0);
  });
});
