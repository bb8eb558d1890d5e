import { describe, expect, it } from "vitest";
import type { TableModule } from "../tables/contract";
import { eventLine, signed, told, type Told } from "./log";
import { Messages } from "./message";

describe("told", () => {
  it("pairs every event with its line, or with none", () => {
    const one = { event: "a" };
    const two = { event: "b" };
    const found = told({ events: [one, two], lines: [["log.a", {}]] } as unknown as Parameters<typeof told>[0]);
    expect(found).toEqual([
      { event: one, line: ["log.a", {}] },
      { event: two, line: null },
    ]);
  });
});

describe("eventLine", () => {
  const event = { event: "play", seat: 1, cards: { R_SHI: 2 } };
  const given: Told = { event, line: ["log.play", { by: { seat: 1 } }] };
  const reader = { names: ["Ann", "Bo"] };

  it("says nothing while the game's module is loading", () => {
    expect(eventLine(undefined, given, "en", reader)).toBe("");
  });

  it("uses the line that came with the event, in the reader's language", () => {
    const messages = new Messages({ en: { "log.play": "{by} plays." }, ja: { "log.play": "{by}が出す。" } });
    const module = { messages } as unknown as TableModule;
    expect(eventLine(module, given, "ja", reader)).toBe("Boが出す。");
    expect(eventLine(module, { event, line: null }, "ja", reader)).toBe("");
  });

  it("lists the bare fields for a game without sentences", () => {
    expect(eventLine(null, given, "en", reader)).toBe('event: play, seat: 1, cards: {"R_SHI":2}');
  });
});

describe("signed", () => {
  it("writes a plus and a true minus, and neither for zero", () => {
    expect([3, -3, 0].map(signed)).toEqual(["+3", "−3", "0"]);
  });
});
