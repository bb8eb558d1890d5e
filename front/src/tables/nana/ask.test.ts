import { describe, expect, it } from "vitest";
import type { Line } from "../../lib/message";
import { asked, cardName, headline, reason, whyNot, type Moment, type Sight } from "./ask";
import type { End, Slot, View } from "./types";
import { Voice } from "./words";

const voice = new Voice("en", { names: ["Ann", "Lan"], viewer: 0 });
const said = (moment: Moment): string => voice.tell(asked(moment));
const named = (slot: Slot, end: End | null, sight: Sight): string => voice.tell(cardName(slot, end, sight));

const view = (more: Partial<View> = {}): View =>
  ({ phase: "flip-1", current: 0, face_up: [], last: null, removed: {}, winner: null, winning: null, ...more }) as View;
const moment = (more: Partial<Moment> = {}): Moment => ({
  view: view(),
  frame: null,
  live: true,
  frozen: false,
  over: false,
  seat: 0,
  ...more,
});
const up = (...numbers: number[]) => numbers.map((number, i) => ({ slot: `c${i}`, number }));

describe("asked", () => {
  it("says what is looked for and how many are missing", () => {
    const one = said(moment({ view: view({ face_up: up(5) }) }));
    const two = said(moment({ view: view({ face_up: up(5, 5) }) }));
    expect(one).toContain("5");
    expect(two).toContain("5");
    expect(one).not.toBe(two);
  });

  it("names the seat that moves when it is another's turn", () => {
    expect(said(moment({ view: view({ current: 1 }), live: false }))).toContain("Lan");
    expect(said(moment({ view: view({ current: 1, face_up: up(5) }), live: false }))).toContain("Lan");
  });

  it("names both numbers of an attempt that fails", () => {
    expect(said(moment({ view: view({ face_up: up(5, 8) }) }))).toMatch(/8.*5/);
  });

  it("asks in another way after a success", () => {
    const won = view({ last: { by: 0, slots: ["c0"] }, removed: { c0: 9 } });
    expect(said(moment({ view: won }))).toContain("9");
    expect(said(moment())).not.toContain("9");
  });
});

describe("the end", () => {
  const told = (line: Line) => voice.tell(line);
  const won = (more: Partial<View>): View => view({ phase: "game-over", winner: 1, ...more });

  it("names the winner, or says that nobody won", () => {
    expect(told(headline(won({})))).toBe("Lan wins!");
    expect(told(headline(won({ winner: 0 })))).toBe("You win!");
    expect(told(headline(won({ winner: null })))).toBe("Nobody wins");
  });

  it("says why, with the numbers that the view gives", () => {
    const by = (link: "sum" | "difference" | null, ...numbers: number[]) => ({ winning: { numbers, link } });
    expect(told(reason(won({ win_reason: "connected", ...by("sum", 3, 4) })))).toContain("3 + 4 = 7");
    expect(told(reason(won({ win_reason: "connected", ...by("difference", 2, 9) })))).toContain("9 − 2 = 7");
    expect(told(reason(won({ win_reason: "three-trios", ...by(null, 2, 6, 8) })))).toContain("2, 6, 8");
    expect(told(reason(won({ win_reason: "sevens", ...by(null, 7) })))).toContain("sevens");
    expect(told(reason(view({ end: "cap", max_turns: 40 })))).toContain("40");
    expect(told(reason(view({ end: "exhausted" })))).toContain("No cards");
  });

  it("is the status line once nothing moves any more", () => {
    const over = won({ win_reason: "sevens", winning: { numbers: [7], link: null } });
    expect(said(moment({ view: over, live: false }))).toMatch(/^Lan wins! All three sevens/);
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
    const texts = reasons.map((line) => line && voice.tell(line));
    expect(texts.every((text) => text)).toBe(true);
    expect(new Set(texts).size).toBe(texts.length);
  });
});

describe("cardName", () => {
  const hidden = { number: null, up: false, seen: null, last: false };

  it("counts from one and tells whose card it is", () => {
    expect(named("h1.2", null, hidden)).toBe("Card 3 of Lan’s hand, face down");
    expect(named("c4", null, hidden)).toContain("5");
  });

  it("never tells a number that is not to be seen", () => {
    expect(named("h1.0", "low", hidden)).not.toMatch(/\d/);
    expect(named("h1.0", "low", { ...hidden, seen: 8 })).toContain("8");
    expect(named("h1.0", "low", { ...hidden, up: true, number: 6 })).toContain("6");
  });
});
