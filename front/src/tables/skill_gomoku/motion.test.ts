import { describe, expect, it } from "vitest";
import { film, isDealt, spreadOf, traceOf } from "./motion";
import type { GomokuEvent, View } from "./types";

const view = (cells: number[][], more: Partial<View> = {}): View =>
  ({
    viewer: 1,
    board: { size: 2, cells },
    currentPlayer: 1,
    status: { skipNextTurns: { "1": 0, "2": 0 } },
    turn: { number: 3, drawn: ["Place", "Take"], chosen: null, chosenIndex: null },
    winner: null,
    lastChoice: null,
    ...more,
  }) as unknown as View;

const resolved = (player: 1 | 2, card: string, ops: object[], fizzled = false): GomokuEvent =>
  ({ event: "effectResolved", turn: 2, player, data: { card, ops, fizzled } }) as unknown as GomokuEvent;

describe("film", () => {
  it("starts from the board before the events and ends at the present one", () => {
    const now = view([
      [2, 0],
      [0, 1],
    ]);
    const events = [
      resolved(2, "Place", [{ type: "place", point: { x: 1, y: 1 }, player: 2 }]),
      resolved(1, "PolarityInversion", [{ type: "swapAll" }]),
      resolved(2, "Take", [{ type: "remove", point: { x: 1, y: 0 } }]),
    ];
    const frames = film(now, events, null);
    expect(frames.map((frame) => frame.effect)).toEqual(["place", "flipOut", "flipIn", "take"]);
    expect(frames[0]!.cells).toEqual([
      [1, 2],
      [0, 2],
    ]);
    expect(frames[3]!.cells).toEqual([
      [2, 1],
      [0, 1],
    ]); // the stone is shown while it is being taken
    expect(frames[3]!.points).toEqual([{ x: 1, y: 0 }]);
  });

  it("counts frozen turns up and down", () => {
    const now = view([[0]], { status: { skipNextTurns: { "1": 0, "2": 0 } } });
    const frames = film(
      now,
      [
        resolved(1, "TimeFreeze", [{ type: "freeze", target: 2, amount: 1 }]),
        { event: "turnSkipped", turn: 3, player: 2, data: { remaining: 0 } },
      ],
      null,
    );
    expect(frames.map((frame) => [frame.effect, frame.player, frame.skips["2"]])).toEqual([
      ["freeze", 2, 1],
      ["skip", 2, 0],
    ]);
  });

  it("shows a card that does nothing", () => {
    expect(film(view([[0]]), [resolved(1, "Take", [], true)], null)).toMatchObject([{ effect: "fizzle" }]);
  });

  it("shows the backs of another's cards until they are open", () => {
    const hidden = view([[0]], { turn: { number: 3, drawn: null, drawnCount: 2, chosenIndex: null } as View["turn"] });
    const drawn: GomokuEvent = { event: "cardsDrawn", turn: 3, player: 1, data: { cards: null, reshuffled: false } };
    expect(film(hidden, [drawn], null)[0]!.spread.cards).toEqual([null, null]);
    expect(film(hidden, [drawn], { "0": view([[0]]) })[0]!.spread.cards).toEqual(["Place", "Take"]);
  });

  it("puts the chosen card where it was drawn", () => {
    const chosen = (index: number): GomokuEvent =>
      ({ event: "cardChosen", turn: 3, player: 1, data: { card: "Take", index, discarded: "Place" } }) as GomokuEvent;
    expect(film(view([[0]]), [chosen(0)], null)[0]!.spread).toEqual({ player: 1, cards: ["Take", "Place"], chosen: 0 });
    expect(film(view([[0]]), [chosen(1)], null)[0]!.spread).toEqual({ player: 1, cards: ["Place", "Take"], chosen: 1 });
  });
});

describe("isDealt", () => {
  it("tells the cards that are asked about from those of an earlier turn", () => {
    const now = view([[0]]);
    expect(isDealt(spreadOf(now, null), now)).toBe(true);
    expect(isDealt({ player: 2, cards: ["Place", "Take"], chosen: null }, now)).toBe(false);
    expect(isDealt({ player: 1, cards: ["Take", "Place"], chosen: null }, now)).toBe(false);
  });
});

describe("traceOf", () => {
  it("is the last effect among the events, or nothing", () => {
    const at = { x: 0, y: 0 };
    const events = [
      resolved(1, "TimeFreeze", [{ type: "freeze", target: 2, amount: 1 }]),
      resolved(1, "Place", [{ type: "place", point: at, player: 1 }]),
      { event: "turnEnded", turn: 2 } as GomokuEvent,
    ];
    expect(traceOf(events)).toEqual({ card: "Place", points: [at] });
    expect(traceOf([])).toBeNull();
  });
});
