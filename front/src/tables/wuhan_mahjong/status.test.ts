import { describe, expect, it } from "vitest";
import { discardOf, status, whatIf, whyNot } from "./status";
import type { Move, MoveKind, View } from "./types";

const move = (action: number, kind: MoveKind, ...tiles: string[]): Move => ({
  action,
  kind,
  tiles,
  claimed: null,
  fan: null,
});
const DISCARD = move(26, "discard", "9p");
const view = (more: Partial<View> = {}): View =>
  ({
    phase: "DISCARDING",
    decider: 1,
    claimed: null,
    specials: { "5z": "red", "3m": "laizi", "1m": "skin", "2m": "skin" },
    history: [],
    moves: [],
    ...more,
  }) as unknown as View;
const moment = (of: View, more: object = {}) => ({
  view: of,
  legal: of.moves!.map(({ action }) => action),
  frozen: false,
  over: false,
  reader: { names: ["Ann", "Bo"], viewer: 2 },
  lang: "en" as const,
  ...more,
});

describe("status", () => {
  it("asks the viewer in a sentence of its own for each decision", () => {
    const claimed = { tile: "5s", seat: 1 };
    const asked = [
      status(moment(view({ moves: [DISCARD] }))),
      status(moment(view({ moves: [DISCARD, move(39, "kong_supplement")] }))),
      status(moment(view({ moves: [DISCARD, move(111, "win")] }))),
      status(moment(view({ phase: "MELD_DECISION", moves: [DISCARD] }))),
      status(moment(view({ phase: "WAITING_RESPONSE", claimed, moves: [move(34, "chow")] }))),
      status(moment(view({ phase: "WAIT_ROB_KONG", claimed, moves: [move(111, "win")] }))),
    ];
    expect(new Set(asked).size).toBe(asked.length);
    expect(asked[4]).toMatch(/Bo.*5 bamboo/);
  });

  it("says what was discarded last and who is waited for", () => {
    const told = view({ phase: "PLAYER_DECISION", history: [{ type: "DISCARD", tile: "9p", seat: 0 }] });
    expect(status(moment(told))).toMatch(/Ann.*9 dots.*Bo/);
    expect(status(moment(view({ phase: "PLAYER_DECISION" })))).toContain("Bo");
  });

  it("does not reveal who is asked after the viewer has answered", () => {
    expect(status(moment(view({ phase: "PLAYER_DECISION", answer: 112 })))).not.toContain("Bo");
  });

  it("tells how the hand ended, to the viewer as you", () => {
    const headline = ["end.flow", { ready: { list: [{ seat: 0 }, { seat: 2 }] } }];
    const ended = view({ result: { headline } as unknown as NonNullable<View["result"]> });
    expect(status(moment(ended, { over: true }))).toBe("Flow draw; ready: Ann, you");
  });
});

describe("discardOf", () => {
  it("finds the action of a tile only while it is legal", () => {
    const of = view({ moves: [DISCARD, move(37, "pong", "5s")] });
    expect(discardOf("9p", of, [26])).toBe(26);
    expect(discardOf("9p", of, [])).toBeUndefined();
    expect(discardOf("5s", of, [37])).toBeUndefined();
  });
});

describe("whyNot", () => {
  it("gives no reason for a tile that can be discarded", () => {
    expect(whyNot("9p", moment(view({ moves: [DISCARD] })))).toBeNull();
  });

  it("gives a reason of its own for each case", () => {
    const deciding = view({ moves: [move(4, "discard", "5m")] });
    const reasons = [
      whyNot("9p", moment(view(), { over: true })),
      whyNot("9p", moment(view(), { frozen: true })),
      whyNot("5z", moment(deciding)),
      whyNot("3m", moment(deciding)),
      whyNot("1m", moment(deciding)),
      whyNot("9p", moment(view({ claimed: { tile: "5s", seat: 1 }, moves: [move(34, "chow")] }))),
      whyNot("9p", moment(view())),
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
