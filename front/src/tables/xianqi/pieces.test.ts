import { describe, expect, it } from "vitest";
import { DOG_PAIR, isDogPair, isPlay, isRed, listed, PLAYS, playOf, powerOf, sizeOf, TYPES } from "./pieces";

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
  it("gives the dog pair what the table's option says", () => {
    expect(isDogPair(PLAYS[DOG_PAIR]!)).toBe(true);
    expect(powerOf(PLAYS[DOG_PAIR]!, { dog_pair: "equal_red_shi" })).toBe(9);
    expect(powerOf(PLAYS[DOG_PAIR]!, {})).toBe(10);
  });

  it("puts three red niu above three black ones", () => {
    expect(powerOf({ R_NIU: 3 }, {})).toBe(11);
    expect(powerOf({ B_NIU: 3 }, {})).toBe(10);
  });

  it("gives a pair the power of its pieces", () => {
    expect(powerOf({ B_MA: 2 }, {})).toBe(powerOf({ B_MA: 1 }, {}));
  });
});
