import { describe, expect, it } from "vitest";
import { INK, isCentre, partners, placeOf, seatOf } from "./cards";

describe("slots", () => {
  it("name a seat's card or one of the centre", () => {
    expect([isCentre("c4"), placeOf("c4")]).toEqual([true, 4]);
    expect([isCentre("h1.10"), seatOf("h1.10"), placeOf("h1.10")]).toEqual([false, 1, 10]);
  });
});

describe("partners", () => {
  it("are those of the pairs that the view gives", () => {
    const pairs: [number, number][] = [
      [1, 6],
      [1, 8],
      [2, 5],
    ];
    expect(partners(1, pairs)).toEqual([6, 8]);
    expect(partners(6, pairs)).toEqual([1]);
    expect(partners(7, pairs)).toEqual([]);
  });
});

describe("INK", () => {
  it("has one colour for each number", () => {
    expect(new Set(Array.from({ length: 12 }, (_, i) => INK[i + 1])).size).toBe(12);
  });
});
