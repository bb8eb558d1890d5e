import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Stage, type How } from "./stage.svelte";
import { COLS, ROWS, type Board, type Event, type View } from "./types";

/** A board from its lowest rows, a code for each of six columns, "--" for empty. */
function board(...rows: string[]): Board {
  const blank = Array.from({ length: ROWS - rows.length }, () => Array<string | null>(COLS).fill(null));
  return [...blank, ...rows.map((row) => row.split(" ").map((code) => (code === "--" ? null : code)))];
}
const view = (of: Board, more: Partial<View> = {}): View =>
  ({
    board: of,
    score: 0,
    cpuScore: 0,
    cpuWins: 0,
    hand: [],
    discards: [],
    chain: 0,
    next: [],
    remaining: 9,
    ...more,
  }) as View;
const places = (stage: Stage) => stage.pieces.map((p) => `${p.code}@${p.x},${p.y}`).sort();

describe("Stage", () => {
  const sound = vi.fn();
  const how: How = { patient: false, dropped: true, sound };
  let stage: Stage;
  beforeEach(() => {
    vi.useFakeTimers();
    sound.mockReset();
    stage = new Stage();
  });
  afterEach(() => vi.useRealTimers());

  const ROW = "m1 m1 -- -- -- --";

  it("shows a view as it is", () => {
    stage.show(view(board(ROW), { score: 30, hand: ["p1"] }));
    expect(places(stage)).toEqual(["m1@0,11", "m1@1,11"]);
    expect(stage.shown).toMatchObject({ score: 30, hand: ["p1"] });
  });

  it("keeps the identity of a tile that stays where it was", () => {
    stage.show(view(board(ROW)));
    const id = stage.pieces[0]!.id;
    stage.show(view(board("m1 p2 -- -- -- --")));
    expect(stage.pieces[0]!.id).toBe(id);
    expect(stage.pieces[1]!.id).not.toBe(id);
  });

  it("plays a landing and ends with the view", async () => {
    const before = view(board(ROW));
    const landed = board("-- -- p3 -- -- --", "m1 m1 p2 -- -- --");
    const land: Event = {
      type: "land",
      col: 2,
      rot: 0,
      axis: "p2",
      rotor: "p3",
      cells: [
        [2, 11],
        [2, 10],
      ],
      lost: [],
      board: landed,
    };
    const done = stage.play([land], before, view(landed), how);
    expect(stage.playing).toBe(true);
    await vi.runAllTimersAsync();
    await done;
    expect(sound).toHaveBeenCalledWith("place");
    expect(stage.playing).toBe(false);
    expect(places(stage)).toEqual(["m1@0,11", "m1@1,11", "p2@2,11", "p3@2,10"]);
  });

  it("counts the points of a chain as it clears", async () => {
    const before = view(board("m1 m1 m1 m1 -- --"));
    const clear: Event = { type: "clear", chain: 1, tiles: ["m1", "m1", "m1", "m1"], points: 40, board: board() };
    const done = stage.play([clear], before, view(board(), { score: 40 }), how);
    await vi.advanceTimersByTimeAsync(100);
    expect(stage.caption).toEqual({ chain: 1, points: 40 });
    expect(stage.pieces.every((p) => p.look === "pop")).toBe(true);
    await vi.runAllTimersAsync();
    await done;
    expect([stage.caption, stage.pieces.length, stage.shown.score]).toEqual([null, 0, 40]);
  });

  it("waits at HOLD with a winner until someone goes on, and not by reflex", async () => {
    const hold = { type: "hold", player: { won: true }, cpu: { won: false } } as Event;
    const done = stage.play([hold], view(board(), { hand: ["m1"] }), view(board()), { ...how, patient: true });
    await vi.advanceTimersByTimeAsync(100);
    stage.goOn();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(stage.hold).not.toBeNull();
    expect(sound).toHaveBeenCalledWith("win");
    stage.goOn();
    await done;
    expect(stage.hold).toBeNull();
  });

  it("goes on by itself from HOLD without a winner", async () => {
    const hold = { type: "hold", player: { won: false }, cpu: { won: false } } as Event;
    const done = stage.play([hold], view(board()), view(board()), { ...how, patient: true });
    await vi.advanceTimersByTimeAsync(1900);
    await done;
    expect(stage.hold).toBeNull();
  });

  it("removes what the computer took", async () => {
    const before = view(board("m1 p2 -- -- -- --"));
    const left = board("-- p2 -- -- -- --");
    const close: Event = { type: "close", score: 1, cpuScore: 2, board: left, discards: [] };
    const done = stage.play([close], before, view(left), how);
    await vi.advanceTimersByTimeAsync(10);
    expect(stage.pieces.find((p) => p.code === "m1")!.look).toBe("taken");
    await vi.runAllTimersAsync();
    await done;
    expect(places(stage)).toEqual(["p2@1,11"]);
  });

  it("drops an older film when a newer view comes", async () => {
    const clear: Event = { type: "clear", chain: 1, tiles: [], points: 40, board: board() };
    const done = stage.play([clear], view(board()), view(board(), { score: 40 }), how);
    await vi.advanceTimersByTimeAsync(10);
    stage.show(view(board(ROW), { score: 7 }));
    await vi.runAllTimersAsync();
    await done;
    expect(stage.shown.score).toBe(7);
    expect(places(stage)).toEqual(["m1@0,11", "m1@1,11"]);
  });
});
