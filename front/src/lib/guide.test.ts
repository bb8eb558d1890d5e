import { describe, expect, it } from "vitest";
import { fill } from "./guide";

describe("the caption of an example", () => {
  it("gets its numbers from the example", () => {
    expect(fill([{ kind: "strong", text: "{points} points" }], { points: 3000 })).toEqual([
      { kind: "strong", text: "3000 points" },
    ]);
  });
  it("names who it is about, and writes a loss as a number", () => {
    const text = "{dealer} is the dealer: {chips}.";
    const values = { dealer: { seat: 2 }, chips: -3 };
    expect(fill([{ kind: "text", text }], values, ["", "Lan", "Bo"])[0]!.text).toBe("Bo is the dealer: −3.");
  });
  it("shows a name that the example does not have, so that a test finds it", () => {
    expect(fill([{ kind: "text", text: "{lost}" }], {})[0]!.text).toBe("{lost}");
  });
});
