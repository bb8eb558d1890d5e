import { describe, expect, it } from "vitest";
import { KEYS, line, PITCH, Voice } from "./words";

const names = ["Ann", "小梅"];

describe("Voice", () => {
  it("calls the viewer you and the others by name", () => {
    const voice = new Voice("en", { names, viewer: 0 });
    expect([voice.who(0), voice.who(1)]).toEqual(["You", "小梅"]);
    expect(new Voice("zh", { names, viewer: -1 }).who(0)).toBe("Ann");
  });

  it("joins numbers and lines as the language does", () => {
    expect(new Voice("en", {}).list([2, 5, 9])).toBe("2, 5, 9");
    expect(new Voice("ja", {}).list([line("card.down"), line("card.last")])).toBe("裏向き、直前にめくられた");
  });
});

describe("the pitch and the keys", () => {
  it("are there in every language", () => {
    for (const words of [PITCH, ...KEYS.map(({ does }) => does)]) {
      expect(new Set(Object.values(words)).size).toBe(3);
    }
  });
});
