import { describe, expect, it } from "vitest";
import { codeOf, isRed, kindOf, nameOf, namesOf, numberOf, order, sorted } from "./tiles";

const KINDS = Array.from({ length: 34 }, (_, kind) => kind);

describe("kinds", () => {
  it("are numbered from 0 to 33, and every code reads back", () => {
    expect(KINDS.map((kind) => kindOf(codeOf(kind)))).toEqual(KINDS);
    expect([codeOf(0), codeOf(26), codeOf(27), codeOf(33)]).toEqual(["m1", "s9", "zE", "zC"]);
  });

  it("take a red five for a five", () => {
    expect([isRed("p0"), numberOf("p0"), kindOf("p0")]).toEqual([true, 5, kindOf("p5")]);
  });
});

describe("sorted", () => {
  it("lists man, pin, sou, honours, and a red five after the plain ones", () => {
    expect(sorted(["zE", "m0", "s1", "m5", "p9"])).toEqual(["m5", "m0", "p9", "s1", "zE"]);
    expect(order("m5", "m5")).toBe(0);
  });

  it("leaves what it was given alone", () => {
    const given = ["zE", "m1"];
    sorted(given);
    expect(given).toEqual(["zE", "m1"]);
  });
});

describe("names", () => {
  it("are different for every kind in every language", () => {
    for (const lang of ["zh", "en", "ja"] as const) {
      expect(new Set(KINDS.map((kind) => nameOf(codeOf(kind), lang))).size).toBe(34);
    }
  });

  it("say that a five is red", () => {
    expect(nameOf("s0", "en")).toBe("red 5 sou");
    expect(namesOf(["m1", "zC"], "zh")).toBe("一万、中");
  });
});
