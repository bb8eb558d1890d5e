import { describe, expect, it } from "vitest";
import { LEFT, RIGHT, actionOf } from "./board";
import {
  asked,
  headline,
  isLegalCell,
  onlyChoice,
  reasons,
  whatAt,
  whyNotCard,
  whyNotCell,
  whyUseless,
  type Moment,
} from "./status";
import type { CardId, View } from "./types";

function view(drawn: CardId[] | null, chosen: CardId | null, cells: number[][], more: Partial<View> = {}): View {
  return {
    board: { size: cells.length, cells },
    currentPlayer: 1,
    mover: 1,
    unplayable: [],
    turn: { number: 3, drawn, chosen, chosenIndex: null },
    winner: null,
    reason: null,
    winningLines: [],
    settings: { maxTurns: 40 },
    ...more,
  } as unknown as View;
}
const EMPTY = Array.from({ length: 3 }, () => [0, 0, 0]);
const moment = (of: View, legal: number[], more: Partial<Moment> = {}): Moment => ({
  view: of,
  seat: 0,
  names: ["Yu", "Lan"],
  legal,
  frozen: false,
  lang: "en",
  ...more,
});

describe("whyUseless", () => {
  it("explains a card that the view calls unplayable, and no other", () => {
    const cards: CardId[] = ["Place", "Take", "SpontaneousGeneration"];
    const stuck = view(null, null, [[1]], { unplayable: cards });
    for (const lang of ["en", "zh", "ja"] as const) {
      expect(new Set(cards.map((card) => whyUseless(card, stuck, lang))).size).toBe(3);
      expect(whyUseless("PolarityInversion", stuck, lang)).toBeNull();
    }
    expect(whyUseless("Take", view(null, null, [[1]]), "en")).toBeNull();
  });
});

describe("asked", () => {
  it("asks for a card, then for what it is used on", () => {
    const sentences = [
      asked(moment(view(["Place", "Take"], null, [[1, 2]]), [LEFT, RIGHT])),
      asked(moment(view(["Place"], null, EMPTY), [LEFT])),
      asked(moment(view(["Place", "Take"], "Place", EMPTY), [3])),
      asked(moment(view(["Place", "Take"], "Take", [[2]]), [3])),
      asked(moment(view(["TimeFreeze", "Take"], "TimeFreeze", EMPTY), [2])),
    ];
    expect(new Set(sentences).size).toBe(sentences.length);
    expect(sentences[4]).toContain("Lan");
  });

  it("says why only one card can be played, or neither", () => {
    const drawn: CardId[] = ["Place", "Take"];
    const one = moment(view(drawn, null, EMPTY, { unplayable: ["Take"] }), [LEFT]);
    expect(asked(one)).toContain(whyUseless("Take", one.view, "en")!);
    const none = moment(view(["Take", "Take"], null, EMPTY, { unplayable: ["Take"] }), [LEFT, RIGHT]);
    expect(asked(none).split(whyUseless("Take", none.view, "en")!)).toHaveLength(2); // said once
    expect(asked(none)).not.toBe(asked(one));
    const single = moment(view(["Take"], null, EMPTY, { unplayable: ["Take"] }), [LEFT]);
    expect(asked(single)).not.toBe(asked(none));
  });

  it("calls the viewer you, whatever their name", () => {
    const waiting = view(null, null, EMPTY);
    expect(asked(moment(waiting, []))).not.toContain("Yu");
    expect(asked(moment(waiting, [], { seat: -1 }))).toContain("Yu");
  });

  it("names the seat that is waited for", () => {
    expect(asked(moment(view(null, null, EMPTY, { currentPlayer: 2 }), []))).toContain("Lan");
  });

  it("says who has won and why", () => {
    const won = view(null, null, EMPTY, { winner: 2, reason: "turnLimit" });
    expect(asked(moment(won, [], { seat: -1 }))).toMatch(/Lan.*40/s);
  });
});

describe("why not", () => {
  it("gives a cell a reason of its own for each case", () => {
    const at = { x: 0, y: 0 };
    const reasonsOf = [
      whyNotCell(at, moment(view(null, null, EMPTY, { winner: 1 }), [])),
      whyNotCell(at, moment(view(["Place"], "Place", EMPTY), [3], { frozen: true })),
      whyNotCell(at, moment(view(null, null, EMPTY), [])),
      whyNotCell(at, moment(view(["Place"], null, EMPTY), [LEFT])),
      whyNotCell(at, moment(view(["TimeFreeze"], "TimeFreeze", EMPTY), [2])),
      whyNotCell(at, moment(view(["Place"], "Place", [[1]]), [4])),
      whyNotCell(at, moment(view(["Take"], "Take", [[0]]), [4])),
      whyNotCell(at, moment(view(["Take"], "Take", [[1]]), [4])),
    ];
    expect(new Set(reasonsOf).size).toBe(reasonsOf.length);
  });

  it("explains why a card cannot be chosen", () => {
    const stuck = moment(view(["Place", "Take"], null, EMPTY, { unplayable: ["Take"] }), [LEFT]);
    expect(whyNotCard(1, stuck)).toContain(whyUseless("Take", stuck.view, "en")!);
    expect(whyNotCard(0, moment(view(["Place"], "Place", EMPTY), [3]))).toBeTruthy();
  });
});

describe("cells", () => {
  it("are legal as the server says, and described by their name", () => {
    const now = moment(view(["Place"], "Place", EMPTY), [actionOf(1, 2, 3)]);
    expect(isLegalCell({ x: 1, y: 2 }, now)).toBe(true);
    expect(isLegalCell({ x: 2, y: 1 }, now)).toBe(false);
    expect(whatAt({ x: 1, y: 2 }, now)).toContain("b1");
  });
});

describe("the end", () => {
  const line = (player: 1 | 2) => ({
    player,
    length: 5,
    line: [
      { x: 0, y: 0 },
      { x: 0, y: 2 },
    ],
  });
  const over = (winner: View["winner"], reason: View["reason"], lines: ReturnType<typeof line>[]) =>
    moment(view(null, null, EMPTY, { winner, reason, winningLines: lines, currentPlayer: 2 }), []);

  it("is told from the viewer's side", () => {
    const heads = [0, 1, -1].map((seat) => headline({ ...over(1, "five", []), seat }));
    expect(new Set(heads).size).toBe(3);
    expect(headline(over("draw", "noCards", []))).not.toBe(heads[2]);
  });

  it("names the ends of the winning line", () => {
    expect(reasons(over(1, "five", [line(1)]))).toEqual([expect.stringMatching(/a3.*a1/)]);
  });

  it("adds a sentence where five of the other's won, or both at once", () => {
    expect(reasons(over(2, "five", [line(2)]))).toHaveLength(2);
    expect(reasons(over("draw", "simultaneousFive", [line(1), line(2)]))).toHaveLength(3);
    expect(reasons(over("draw", "noCards", []))).toHaveLength(1);
  });
});

describe("whyNotCard while cards are dealt", () => {
  it("never leaves the reason empty", () => {
    for (const lang of ["en", "zh", "ja"] as const) {
      const why = whyNotCard(0, moment(view(["Place", "Take"], null, EMPTY), [LEFT, RIGHT], { lang }));
      expect(why).not.toMatch(/[:：]\s*[.。]/);
      expect(why.length).toBeGreaterThan(5);
    }
  });
});

describe("onlyChoice", () => {
  it("takes the only target, and either of two equal cards", () => {
    expect(onlyChoice(view(["TimeFreeze", "Take"], "TimeFreeze", EMPTY), [2])).toBe(2);
    expect(onlyChoice(view(["Place", "Place"], null, EMPTY), [LEFT, RIGHT])).toBe(LEFT);
    expect(onlyChoice(view(["Place", "Take"], null, EMPTY), [LEFT, RIGHT])).toBeNull();
    expect(onlyChoice(view(["Place", "Take"], "Place", EMPTY), [3, 4])).toBeNull();
    expect(onlyChoice(view(["Place", "Place"], null, EMPTY), [])).toBeNull();
    expect(onlyChoice(view(["Place", "Place"], null, EMPTY, { winner: 1 }), [LEFT])).toBeNull();
  });
});
