import { describe, expect, it } from "vitest";
import { asked, whyNot } from "./ask";
import { BUCKLE, playOf, UNDER } from "./pieces";
import type { View } from "./types";

const NAMES = ["You", "Lan", "Bo"];
const view = (more: Partial<View> = {}): View =>
  ({
    phase: "in_round",
    decider: 0,
    kind: 0,
    best: null,
    round: null,
    buckler: null,
    challenger: null,
    options: {},
    hand: { R_NIU: 1, B_MA: 2 },
    ...more,
  }) as unknown as View;
const led = (kind: number, power = 5): Partial<View> => ({
  kind,
  best: { seat: 1, power },
  round: { lead: 1, kind, winner: null, entries: [{ seat: 1, power, cards: { R_MA: kind } }] },
});

describe("asked", () => {
  const ask = (more: Partial<View>, legal: number[], have = 0) => asked(view(more), 0, NAMES, legal, "en", have);

  it("asks the viewer in a sentence of its own for each decision", () => {
    const sentences = [
      ask({}, [0]),
      ask({ challenger: 1 }, [0]),
      ask({ phase: "buckle_decision" }, [0, BUCKLE]),
      ask({ phase: "buckle_decision" }, [0]),
      ask({ phase: "buckle_decision", options: { round_open: "buckle_first" } }, [BUCKLE]),
      ask({ phase: "reveal_decision", buckler: 1 }, [26, 27]),
      ask(led(1), [0]),
      ask(led(2), [playOf("R_SHI", 2)]),
      ask(led(1), [UNDER]),
      ask(led(2), [UNDER], 1),
      ask({ decider: null }, []),
    ];
    expect(new Set(sentences).size).toBe(sentences.length);
    expect(sentences[6]).toMatch(/Lan.*5/);
  });

  it("names who is waited for", () => {
    for (const more of [{}, { phase: "buckle_decision" as const }, led(1)]) {
      expect(ask({ ...more, decider: 2 }, [])).toContain("Bo");
    }
    expect(ask({ phase: "reveal_decision", buckler: 1, decider: 2 }, [])).toMatch(/Lan.*Bo/);
  });
});

describe("whyNot", () => {
  const why = (more: Partial<View>, type: Parameters<typeof whyNot>[0], legal: number[] = [0], full = false) =>
    whyNot(type, view(more), 0, NAMES, legal, "en", full);

  it("gives a reason of its own for each case", () => {
    const reasons = [
      why({ decider: null }, "R_NIU"),
      why({ decider: 1 }, "R_NIU", []),
      why({ phase: "reveal_decision" }, "R_NIU"),
      why({ phase: "buckle_decision" }, "R_NIU"),
      why(led(2), "B_MA", [UNDER], true),
      why(led(2), "R_NIU"),
      why(led(3), "B_MA"),
      why(led(1), "R_NIU"),
    ];
    expect(new Set(reasons).size).toBe(reasons.length);
  });

  it("compares the power of a piece with what it has to beat", () => {
    expect(why(led(1, 5), "R_NIU")).toMatch(/1.*5/);
  });
});
