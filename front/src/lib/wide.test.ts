import { describe, expect, it } from "vitest";
import { runs } from "./wide";

describe("runs", () => {
  it("alternates narrow and wide characters, narrow first", () => {
    expect(runs("a车b")).toEqual(["a", "车", "b"]);
    expect(runs("红士 x2")).toEqual(["", "红士", " x2"]);
    expect(runs("plain")).toEqual(["plain"]);
  });

  it("takes full-width letters, kana and rare characters for wide", () => {
    expect(runs("Ａかカ\u{20bb7}")).toEqual(["", "Ａかカ\u{20bb7}", ""]);
  });

  it("takes accents, arrows and suits of cards for narrow", () => {
    expect(runs("é→♠−")).toEqual(["é→♠−"]);
  });
});
