import { describe, expect, it } from "vitest";
import { fill } from "./guide";

describe("the caption of an example", () => {
  it("gets its numbers from the example", () => {
    expect(fill([{ kind: "strong", text: "{points} points" }], { points: 3000 })).toEqual([
      { kind: "strong", text: "3000 points" },
    ]);
  });
  it("shows a name that the example does not have, so that a test finds it", () => {
    expect(fill([{ kind: "text", text: "{lost}" }], {})[0]!.text).toBe("{lost}");
  });
});
