import { describe, expect, it } from "vitest";
import { DOG_PAIR, isDogPair, isGou, isPlay, isRed, listed, PLAYS, playOf, powerOf, sizeOf, TYPES } from "./pieces";

describe("plays", () => {
  it("are twelve singles, the dog pair, ten pairs and two triples, all different", () => {
    expect(PLAYS.map(sizeOf)).toEqual([...Array<number>(12).fill(1), ...Array<number>(11).fill(2), 3, 3]);
    expect(new Set(PLAYS.map((cards) => listed(cards).join())).size).toBe(25);
    expect([isPlay(24), isPlay(25)]).toEqual([true, false]);
  });

  it("are found by type and size", () => {
    for (const type of TYPES) expect(PLAYS[playOf(type, 1)]).toEqual({ [type]: 1 });
    expect(PLAYS[playOf("B_NIU", 3)]).toEqual({ B_NIU: 3 });
    expect(playOf("R_GOU", 2)).toBe(-1);
    expect(playOf("R_SHI", 3)).toBe(-1);
  });

  it("list strong pieces before weak ones", () => {
    expect(listed({ B_NIU: 1, R_SHI: 2 })).toEqual(["R_SHI", "R_SHI", "B_NIU"]);
    expect([isRed("R_MA"), isRed("B_MA")]).toEqual([true, false]);
  });
});

describe("powerOf", () => {
  it("reads the power of a single piece from the view's powers of all plays", () => {
    const powers = PLAYS.map((_, action) => 100 + action);
    expect(powerOf(powers, "R_SHI")).toBe(100);
    expect(powerOf(powers, "R_GOU")).toBe(107);
  });
});

describe("the dog pair", () => {
  it("is one gou of each colour", () => {
    expect(isDogPair(PLAYS[DOG_PAIR]!)).toBe(true);
    expect(isDogPair({ R_GOU: 1 })).toBe(false);
    expect([isGou("R_GOU"), isGou("B_GOU"), isGou("R_MA")]).toEqual([true, true, false]);
  });
});
