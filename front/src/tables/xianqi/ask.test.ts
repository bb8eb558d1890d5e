import { describe, expect, it } from "vitest";
import type { Lang } from "../contract";
import { asked, whyNot } from "./ask";
import { BUCKLE, PASS, REVEAL, UNDER, playOf } from "./pieces";
import { sample } from "./sample";
import type { View } from "./types";

const reader = { names: ["Zoe", "Lan", "Bo"], viewer: 0 };
const LANGS: Lang[] = ["en", "zh", "ja"];

const ask = (view: View, legal: number[] = [], have = 0, lang: Lang = "en") =>
  asked(view, 0, legal, have, lang, reader);
const why = (view: View, type: Parameters<typeof whyNot>[0], legal: number[], full = false) =>
  whyNot(type, view, 0, legal, full, "en", reader);

const led = (kind: number, more: Partial<View> = {}): View =>
  sample({
    phase: "in_round",
    kind,
    best: { seat: 2, power: 6 },
    round: { lead: 2, kind, winner: null, entries: [{ seat: 2, power: 6, cards: { B_XIANG: kind } }] },
    ...more,
  });

describe("asked", () => {
  it("names the seat that everyone waits for", () => {
    expect(ask(sample({ decider: 1 }))).toBe("Waiting for Lan to lead or buckle.");
    expect(ask(sample({ decider: 2, phase: "reveal_decision", buckler: 0 }))).toBe(
      "You buckled: waiting for Bo to reveal or pass.",
    );
    expect(ask(led(2, { decider: 1 }))).toBe("Waiting for Lan to beat a pair of black xiang or cover two pieces.");
    expect(ask(sample({ decider: 1, phase: "in_round", challenger: 0 }))).toBe("You revealed: Lan must lead.");
    expect(ask(sample({ decider: null, phase: "finished" }))).toBe("The hand is over.");
  });

  it("offers a buckle only where it is legal", () => {
    expect(ask(sample({}), [0, BUCKLE])).toContain("or buckle");
    expect(ask(sample({}), [0])).not.toContain("buckle");
    expect(ask(sample({}), [BUCKLE, PASS])).toBe("First say: buckle or not?");
  });

  it("says what beats, and how many pieces to cover", () => {
    expect(ask(led(1), [playOf("R_XIANG", 1)])).toBe(
      "Beat a black xiang from Bo: one piece above 6. You can, so you must.",
    );
    expect(ask(led(1), [UNDER])).toContain("cover one piece, face down");
    expect(ask(led(2), [UNDER], 1)).toContain("pick 2 to cover, 1 picked");
    expect(ask(sample({ phase: "reveal_decision", buckler: 1 }), [REVEAL, PASS])).toBe(
      "Lan buckles and asks you: reveal or pass?",
    );
    expect(ask(sample({ phase: "in_round", challenger: 2 }), [0])).toBe("Bo revealed: you must lead now.");
  });

  it("asks the viewer in a sentence of its own for each decision", () => {
    const sentences = [
      ask(sample({ phase: "in_round" }), [0]),
      ask(sample({ phase: "in_round", challenger: 1 }), [0]),
      ask(sample({}), [0, BUCKLE]),
      ask(sample({}), [BUCKLE, PASS]),
      ask(sample({ phase: "reveal_decision", buckler: 1 }), [REVEAL, PASS]),
      ask(led(1), [0]),
      ask(led(2), [playOf("R_SHI", 2)]),
      ask(led(1), [UNDER]),
      ask(led(2), [UNDER], 1),
      ask(sample({ decider: null }), []),
    ];
    expect(new Set(sentences).size).toBe(sentences.length);
  });

  it("speaks every language", () => {
    for (const lang of LANGS) expect(ask(led(2), [UNDER], 1, lang)).toContain("6");
  });
});

describe("whyNot", () => {
  it("waits for the viewer's turn", () => {
    expect(why(sample({ decider: 1 }), "R_SHI", [])).toBe("Not your turn: waiting for Lan.");
    expect(why(sample({ phase: "reveal_decision", buckler: 1 }), "R_SHI", [REVEAL, PASS])).toContain("Answer first");
    expect(why(sample({}), "R_SHI", [BUCKLE, PASS])).toContain("Decide first");
  });

  it("compares powers as the view gives them", () => {
    expect(why(led(1), "R_MA", [playOf("R_SHI", 1)])).toBe(
      "Too weak to beat: a red ma, power 5; you need more than 6.",
    );
    expect(why(led(2, { hand: { R_GOU: 1, B_GOU: 1 } }), "R_GOU", [playOf("R_SHI", 2)])).toContain(
      "the dog pair, power 10",
    );
  });

  it("asks for as many pieces as the round takes", () => {
    expect(why(led(2, { hand: { R_MA: 1 } }), "R_MA", [playOf("R_SHI", 2)])).toContain("only one red ma");
    expect(why(led(3, { hand: { R_MA: 2 } }), "R_MA", [23])).toContain("three niu");
    expect(why(led(2), "R_MA", [UNDER], true)).toContain("picked 2 already");
  });

  it("gives a reason of its own for each case", () => {
    const reasons = [
      why(sample({ decider: null }), "R_NIU", []),
      why(sample({ decider: 1 }), "R_NIU", []),
      why(sample({ phase: "reveal_decision" }), "R_NIU", [0]),
      why(sample({}), "R_NIU", [0]),
      why(led(2), "R_MA", [UNDER], true),
      why(led(2), "R_SHI", [0]),
      why(led(3), "R_MA", [0]),
      why(led(1), "R_NIU", [0]),
    ];
    expect(new Set(reasons).size).toBe(reasons.length);
  });
});
