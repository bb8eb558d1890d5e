import { describe, expect, it } from "vitest";
import { asked, cardName, whyNot, type Moment } from "./ask";
import type { View } from "./types";

const view = (more: Partial<View> = {}): View =>
  ({ phase: "turn", current: 0, face_up: [], last: null, removed: {}, collections: [[], []], ...more }) as View;
const moment = (more: Partial<Moment> = {}): Moment => ({
  view: view(),
  frame: null,
  live: true,
  frozen: false,
  over: false,
  seat: 0,
  names: ["You", "Lan"],
  lang: "en",
  ...more,
});
const up = (...numbers: number[]) => numbers.map((number, i) => ({ slot: `c${i}`, number }));

describe("asked", () => {
  it("says what is looked for and how many are missing", () => {
    const one = asked(moment({ view: view({ face_up: up(5) }) }));
    const two = asked(moment({ view: view({ face_up: up(5, 5) }) }));
    expect(one).toContain("5");
    expect(two).toContain("5");
    expect(one).not.toBe(two);
  });

  it("names the seat that moves when it is another's turn", () => {
    expect(asked(moment({ view: view({ current: 1 }), live: false }))).toContain("Lan");
    expect(asked(moment({ view: view({ current: 1, face_up: up(5) }), live: false }))).toContain("Lan");
  });

  it("names both numbers of an attempt that fails", () => {
    expect(asked(moment({ view: view({ face_up: up(5, 8) }) }))).toMatch(/8.*5/);
  });

  it("asks in another way after a success", () => {
    const won = view({ last: { by: 0, slots: ["c0"] }, removed: { c0: 9 } });
    expect(asked(moment({ view: won }))).toContain("9");
    expect(asked(moment())).not.toContain("9");
  });
});

describe("whyNot", () => {
  it("gives no reason for a card that can be turned up", () => {
    expect(whyNot("c0", true, moment())).toBeNull();
  });

  it("gives a reason of its own for each case", () => {
    const reasons = [
      whyNot("c0", true, moment({ over: true })),
      whyNot("c0", false, moment({ view: view({ face_up: up(5) }) })),
      whyNot("c1", false, moment({ seat: -1 })),
      whyNot("c1", false, moment({ live: false, frozen: true })),
      whyNot("c1", false, moment({ live: false, view: view({ current: 1 }) })),
      whyNot("h1.2", false, moment()),
    ];
    expect(reasons.every((reason) => reason)).toBe(true);
    expect(new Set(reasons).size).toBe(reasons.length);
  });
});

describe("cardName", () => {
  const hidden = { number: null, up: false, seen: null, last: false };

  it("counts from one and tells whose card it is", () => {
    expect(cardName("h1.2", null, hidden, ["You", "Lan"], "en")).toMatch(/Lan.*3/);
    expect(cardName("c4", null, hidden, ["You", "Lan"], "en")).toContain("5");
  });

  it("never tells a number that is not to be seen", () => {
    expect(cardName("h1.0", "low", hidden, ["You", "Lan"], "en")).not.toMatch(/\d/);
    expect(cardName("h1.0", "low", { ...hidden, seen: 8 }, ["You", "Lan"], "en")).toContain("8");
    expect(cardName("h1.0", "low", { ...hidden, up: true, number: 6 }, ["You", "Lan"], "en")).toContain("6");
  });
});
