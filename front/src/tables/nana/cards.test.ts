import { describe, expect, it } from "vitest";
import { endAction, INK, isCentre, pairs, partners, placeOf, seatOf, wanted } from "./cards";
import type { View } from "./types";

const ALL = Array.from({ length: 12 }, (_, i) => i + 1);

describe("slots", () => {
  it("name a seat's card or one of the centre", () => {
    expect([isCentre("c4"), placeOf("c4")]).toEqual([true, 4]);
    expect([isCentre("h1.10"), seatOf("h1.10"), placeOf("h1.10")]).toEqual([false, 1, 10]);
  });
});

describe("endAction", () => {
  it("counts seats from the one that moves", () => {
    expect(endAction(2, 2, 4, false)).toBe(0);
    expect(endAction(2, 2, 4, true)).toBe(1);
    expect(endAction(3, 2, 4, false)).toBe(2);
    expect(endAction(1, 2, 4, true)).toBe(7);
  });
});

describe("partners", () => {
  it("make 7 by sum or difference, and the sevens have none", () => {
    expect(partners(1, ALL)).toEqual([6, 8]);
    expect(partners(12, ALL)).toEqual([5]);
    expect(partners(7, ALL)).toEqual([]);
  });

  it("are listed once as pairs", () => {
    expect(pairs([1, 6, 7, 8])).toEqual([
      [1, 6],
      [1, 8],
    ]);
  });
});

describe("wanted", () => {
  const view = (mode: View["mode"], collections: number[][]): View =>
    ({ mode, collections, numbers: ALL }) as unknown as View;

  it("is the seven at first, and connected numbers with a trio", () => {
    expect(wanted(view("nana", [[], []]), 0)).toEqual([7]);
    expect(wanted(view("nana", [[1], []]), 0)).toEqual([6, 7, 8]);
  });

  it("leaves out what another has taken", () => {
    expect(wanted(view("nana", [[1], [6, 7]]), 0)).toEqual([8]);
  });

  it("is any trio with two of them, except in the spicy game", () => {
    expect(wanted(view("nana", [[1, 2]]), 0)).toBe("any");
    expect(wanted(view("simple", [[1, 2]]), 0)).toBe("any");
    expect(wanted(view("spicy", [[1, 2]]), 0)).toEqual([5, 6, 7, 8, 9]);
  });

  it("takes no connection for a win in the simple game", () => {
    expect(wanted(view("simple", [[1]]), 0)).toEqual([7]);
  });
});

describe("INK", () => {
  it("has one colour for each number", () => {
    expect(new Set(ALL.map((n) => INK[n])).size).toBe(12);
  });
});
