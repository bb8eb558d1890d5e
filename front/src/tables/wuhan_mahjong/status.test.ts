import { describe, expect, it } from "vitest";
import { status, whatIf, whyNot } from "./status";
import { CHOW, kindOf, SUPPLEMENT, WIN } from "./tiles";
import type { View } from "./types";

const view = (more: Partial<View> = {}): View =>
  ({
    phase: "DISCARDING",
    decider: 1,
    claimed: null,
    laizi: "3m",
    skins: ["1m", "2m"],
    history: [],
    ...more,
  }) as unknown as View;
const moment = (of: View, legal: number[], more: object = {}) => ({
  view: of,
  legal,
  frozen: false,
  over: false,
  names: ["Ann", "Bo"],
  lang: "en" as const,
  ...more,
});

describe("status", () => {
  it("asks the viewer in a sentence of its own for each decision", () => {
    const asked = [
      status(moment(view(), [4])),
      status(moment(view(), [4, SUPPLEMENT])),
      status(moment(view(), [4, WIN])),
      status(moment(view({ phase: "MELD_DECISION" }), [SUPPLEMENT])),
      status(moment(view({ phase: "WAIT_CLAIM", claimed: { tile: "5s", seat: 1 } }), [CHOW])),
      status(moment(view({ phase: "WAIT_ROB_KONG", claimed: { tile: "5s", seat: 1 } }), [WIN])),
    ];
    expect(new Set(asked).size).toBe(asked.length);
    expect(asked[4]).toMatch(/Bo.*5 bamboo/);
  });

  it("says what was discarded last and who is waited for", () => {
    const told = view({ phase: "WAIT", history: [{ type: "DISCARD", tile: "9p", seat: 0 }] });
    expect(status(moment(told, []))).toMatch(/Ann.*9 dots.*Bo/);
    expect(status(moment(view({ phase: "WAIT" }), []))).toContain("Bo");
  });

  it("does not reveal who is asked after the viewer has answered", () => {
    expect(status(moment(view({ phase: "WAIT", answer: 112 }), []))).not.toContain("Bo");
  });
});

describe("whyNot", () => {
  it("gives no reason for a tile that can be discarded", () => {
    expect(whyNot("9p", moment(view(), [kindOf("9p")]))).toBeNull();
  });

  it("gives a reason of its own for each case", () => {
    const reasons = [
      whyNot("9p", moment(view(), [], { over: true })),
      whyNot("9p", moment(view(), [], { frozen: true })),
      whyNot("5z", moment(view(), [4])),
      whyNot("3m", moment(view(), [4])),
      whyNot("1m", moment(view(), [4])),
      whyNot("9p", moment(view({ claimed: { tile: "5s", seat: 1 } }), [CHOW])),
      whyNot("9p", moment(view(), [])),
    ];
    expect(reasons.every((reason) => reason)).toBe(true);
    expect(new Set(reasons).size).toBe(reasons.length);
  });
});

describe("whatIf", () => {
  it("tells the waits of a discard that makes the hand ready", () => {
    expect(whatIf("9p", view({ ready_discards: { "9p": ["4s"] } }), "en")).toMatch(/9 dots.*4 bamboo/);
    expect(whatIf("9p", view(), "en")).not.toContain("bamboo");
  });
});
