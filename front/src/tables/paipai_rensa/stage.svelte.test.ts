import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Stage, type How } from "./stage.svelte";
import type { Board, Code, Event, Shape, View } from "./types";

const EMPTY: Shape = { melds: [], pair: null, rest: [], complete: false, waits: [] };
const HAND: Shape = { ...EMPTY, rest: ["m1", "m2", "m3", "m4"] };

/** A board from its lowest row. */
const board = (...floor: (Code | null)[]): Board =>
  Array.from({ length: 12 }, (_, y) => Array.from({ length: 6 }, (_, x) => (y === 11 ? (floor[x] ?? null) : null)));

const view = (more: Partial<View>): View => ({
  phase: "place",
  board: board(),
  falling: null,
  landings: {},
  last: null,
  next: [],
  remaining: 0,
  total: 136,
  hand: [],
  shape: EMPTY,
  progress: EMPTY,
  discards: [],
  lost: [],
  score: 0,
  cpuScore: 0,
  playerWins: 0,
  cpuWins: 0,
  holds: 0,
  chain: 0,
  longest: 0,
  alloc: null,
  result: null,
  ...more,
});

const sounds: string[] = [];
const how = (patient = false): How => ({ patient, dropped: true, sound: (name) => sounds.push(name) });

beforeEach(() => {
  sounds.length = 0;
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("a view is shown as it is", () => {
  const stage = new Stage();
  stage.show(view({ board: board("m1", null, "zE"), score: 300, shape: HAND }));
  expect(stage.pieces.map(({ code, x, y }) => [code, x, y])).toEqual([
    ["m1", 0, 11],
    ["zE", 2, 11],
  ]);
  expect([stage.shown.score, stage.shown.shape, stage.playing]).toEqual([300, HAND, false]);
});

test("a landing and a clear are played, and end in the view", async () => {
  const stage = new Stage();
  const before = view({ board: board("m1", "m2", "m3") });
  const full: Board = board("m1", "m2", "m3", "m4");
  const to = view({ phase: "alloc", score: 400, chain: 1 });
  const events: Event[] = [
    { type: "land", col: 3, rot: 0, axis: "m4", rotor: "p1", cells: [[3, 11]], lost: [], board: full },
    { type: "clear", chain: 1, tiles: ["m1", "m2", "m3", "m4"], points: 400, board: board() },
  ];
  const done = stage.play(events, before, to, how());
  await vi.advanceTimersByTimeAsync(100);
  expect([stage.playing, stage.caption]).toEqual([true, { chain: 1, points: 400 }]);
  expect(stage.pieces.every((p) => p.look === "pop")).toBe(true);
  await vi.runAllTimersAsync();
  await done;
  expect([stage.playing, stage.pieces.length, stage.shown.score]).toEqual([false, 0, 400]);
  expect(sounds).toEqual(["place", "chain"]);
});

test("HOLD waits for the player where someone has won, and takes the CPU's tiles", async () => {
  const stage = new Stage();
  const before = view({ phase: "alloc", board: board("m1", "zE"), discards: [] });
  const won = { won: true, groups: [], score: 2000 };
  const events: Event[] = [
    { type: "allocate", hand: ["m1", "m2", "m3", "m4"], shape: HAND, discards: ["p1"] },
    { type: "hold", player: { won: false, reason: "not14" }, cpu: won },
    { type: "close", score: 0, cpuScore: 2000, board: board(null, "zE"), discards: [] },
  ];
  const done = stage.play(events, before, view({ board: board(null, "zE"), cpuScore: 2000 }), how(true));
  await vi.advanceTimersByTimeAsync(60_000);
  expect([stage.hold?.cpu, stage.waits, stage.shown.shape, stage.shown.discards]).toEqual([won, true, HAND, ["p1"]]);
  stage.goOn();
  await vi.advanceTimersByTimeAsync(10);
  expect(stage.pieces.map((p) => p.look)).toEqual(["taken", ""]);
  await vi.runAllTimersAsync();
  await done;
  expect([stage.hold, stage.shown.cpuScore, stage.pieces.map((p) => p.code)]).toEqual([null, 2000, ["zE"]]);
});

test("a newer view ends what an older one had begun", async () => {
  const stage = new Stage();
  const events: Event[] = [{ type: "clear", chain: 1, tiles: ["m1"], points: 100, board: board() }];
  const done = stage.play(events, view({ board: board("m1") }), view({ score: 100 }), how());
  await vi.advanceTimersByTimeAsync(10);
  stage.show(view({ board: board("s1"), score: 7 }));
  await vi.runAllTimersAsync();
  await done;
  expect([stage.shown.score, stage.pieces.map((p) => p.code)]).toEqual([7, ["s1"]]);
});
