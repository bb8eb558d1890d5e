import { expect, test } from "vitest";
import { isRed, nameOf, namesOf, numberOf, sorted } from "./tiles";
import { speaker } from "./words";

test("tiles are listed man, pin, sou, honours, a red five before the plain ones", () => {
  const codes = ["zC", "s1", "m5", "p9", "m0", "zE", "m4", "m6"];
  expect(sorted(codes)).toEqual(["m4", "m0", "m5", "m6", "p9", "s1", "zE", "zC"]);
});

test("a red five is a five", () => {
  expect([isRed("p0"), numberOf("p0"), isRed("p5"), numberOf("p5")]).toEqual([true, 5, false, 5]);
});

test("tiles have names in every language", () => {
  expect(nameOf("m0", speaker("en"))).toBe("red 5 man");
  expect(namesOf(["m1", "zF"], speaker("zh"))).toBe("一万、发");
  expect(namesOf(["s3", "zE"], speaker("ja"))).toBe("三索、東");
});
