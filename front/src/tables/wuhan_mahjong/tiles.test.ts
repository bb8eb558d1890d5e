import { describe, expect, it } from "vitest";
import { arrange, kindOf, specialOf, tileName, tileNames } from "./tiles";
import type { View } from "./types";

const SUITS = { m: 9, s: 9, p: 9, z: 7 };
const CODES = Object.entries(SUITS).flatMap(([suit, n]) => Array.from({ length: n }, (_, i) => `${i + 1}${suit}`));
const view = { specials: { "5z": "red", "3m": "laizi", "1m": "skin", "2m": "skin" } } satisfies Pick<View, "specials">;

describe("kinds", () => {
  it("are ordered by suit and rank", () => {
    expect(CODES.map(kindOf)).toEqual(CODES.map((_, kind) => kind));
  });

  it("have different names in every language", () => {
    for (const lang of ["zh", "en", "ja"] as const) {
      expect(new Set(CODES.map((code) => tileName(code, lang))).size).toBe(34);
    }
    expect(tileNames(["1m", "5z"], "en")).toBe("1 characters, Red");
    expect(tileNames(["1m", "5z"], "zh")).toBe("一万、红中");
  });
});

describe("special tiles", () => {
  it("are those that the view names", () => {
    const found = ["5z", "3m", "1m", "2m", "4m"].map((code) => specialOf(code, view));
    expect(found).toEqual(["red", "laizi", "skin", "skin", null]);
  });
});

describe("arrange", () => {
  it("puts special tiles first and leaves out the drawn one, once", () => {
    expect(arrange(["9p", "5z", "1m", "3m", "4m", "4m"], "4m", view)).toEqual(["3m", "1m", "5z", "4m", "9p"]);
    expect(arrange(["9p"], "4m", view)).toEqual(["9p"]);
  });
});
