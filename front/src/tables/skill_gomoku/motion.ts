// Events as an animation: board, cards and effect frame by frame, before the view itself is shown.

import type { Line } from "../../lib/message";
import type { SoundName } from "../contract";
import { other } from "./board";
import type { CardId, Cells, GomokuEvent, Op, Player, Point, Spread, View } from "./types";

export type Effect =
  "deal" | "choose" | "place" | "take" | "flipOut" | "flipIn" | "freeze" | "grow" | "fizzle" | "skip";

export interface Frame {
  cells: Cells;
  skips: Record<"1" | "2", number>;
  spread: Spread;
  effect: Effect;
  points: Point[]; // of the effect
  player: Player; // whom it affects: the frozen player, else the mover
  line: Line | null; // what it shows, in the log
  sound: SoundName | null;
  ms: number;
}

/** What the last effect changed, to be marked until the next one. */
export interface Trace {
  card: CardId;
  points: Point[];
}

const swap = (cells: Cells): Cells => cells.map((row) => row.map((c) => (c === 0 ? 0 : 3 - c)));
const put = (cells: Cells, { x, y }: Point, value: number): Cells =>
  cells.map((row, j) => (j === y ? row.map((c, i) => (i === x ? value : c)) : row));

/** An operation done, or undone; a stone taken by `mover` was the other's. */
function operate(cells: Cells, op: Op, mover: Player, undo: boolean): Cells {
  if (op.type === "place") return put(cells, op.point, undo ? 0 : op.player);
  if (op.type === "remove") return put(cells, op.point, undo ? other(mover) : 0);
  return op.type === "swapAll" ? swap(cells) : cells;
}

function chill(skips: Frame["skips"], event: GomokuEvent, sign: 1 | -1): Frame["skips"] {
  if (event.event === "turnSkipped") return { ...skips, [event.player]: skips[event.player] - sign };
  if (event.event !== "effectResolved") return skips;
  const op = event.data.ops.find((o) => o.type === "freeze");
  return op ? { ...skips, [op.target]: skips[op.target] + sign * op.amount } : skips;
}

/** Board and skip counters before `events`. */
function start(now: View, events: GomokuEvent[]): { cells: Cells; skips: Frame["skips"] } {
  let cells = now.board.cells;
  let skips = now.status.skipNextTurns;
  for (const event of [...events].reverse()) {
    skips = chill(skips, event, -1);
    if (event.event === "effectResolved") {
      for (const op of [...event.data.ops].reverse()) cells = operate(cells, op, event.player, true);
    }
  }
  return { cells, skips };
}

/** The cards of the turn, as the view shows them. */
export function spreadOf(view: View, opened: Record<string, View> | null): Spread {
  const { mover: player, turn } = view;
  const cards = turn.drawn ?? opened?.[String(player - 1)]?.turn.drawn ?? Array<null>(turn.drawnCount ?? 0).fill(null);
  return { player, cards, chosen: turn.chosenIndex };
}

/** Whether these are the cards of the view: an animation may still show an earlier turn. */
export const isDealt = (spread: Spread, view: View): boolean =>
  spread.player === view.currentPlayer &&
  spread.chosen === view.turn.chosenIndex &&
  spread.cards.every((card, k) => card === view.turn.drawn?.[k]);

const chosenSpread = (player: Player, card: CardId, index: number, discarded: CardId | null): Spread =>
  discarded === null
    ? { player, cards: [card], chosen: 0 }
    : { player, cards: index === 0 ? [card, discarded] : [discarded, card], chosen: index };

/** What lay there when `events` began with an effect: the last choice is told by the view. */
function firstSpread(now: View, events: GomokuEvent[]): Spread {
  const { lastChoice: last } = now;
  const first = events.find((event) => event.event === "effectResolved");
  if (!last || events.some((event) => event.event === "cardChosen")) {
    return first?.event === "effectResolved"
      ? { player: first.player, cards: [first.data.card], chosen: 0 }
      : spreadOf(now, null);
  }
  return chosenSpread(last.player, last.card, last.index, last.discarded);
}

const HOW: Record<CardId, { effect: Effect; sound: SoundName; ms: number }> = {
  Place: { effect: "place", sound: "place", ms: 340 },
  Take: { effect: "take", sound: "take", ms: 520 },
  PolarityInversion: { effect: "flipIn", sound: "flip", ms: 300 },
  TimeFreeze: { effect: "freeze", sound: "claim", ms: 600 },
  SpontaneousGeneration: { effect: "grow", sound: "chain", ms: 950 },
};

const pointsOf = (ops: Op[]): Point[] => ops.flatMap((op) => ("point" in op ? [op.point] : []));

/** The frames that lead to `now` along `events`, which the log tells by `lines`. */
export function film(
  now: View,
  events: GomokuEvent[],
  opened: Record<string, View> | null,
  lines: (Line | null)[] = [],
): Frame[] {
  let { cells, skips } = start(now, events);
  let spread = firstSpread(now, events);
  const frames: Frame[] = [];
  for (const [k, event] of events.entries()) {
    const line = lines[k] ?? null;
    const add = (part: Pick<Frame, "effect" | "player"> & Partial<Frame>) =>
      frames.push({ cells, skips, spread, line, points: [], sound: null, ms: 350, ...part });
    skips = chill(skips, event, 1);
    if (event.event === "start") {
      spread = spreadOf(now, opened);
      add({ effect: "deal", player: spread.player, sound: "deal", ms: 420 });
    } else if (event.event === "cardsDrawn") {
      const latest = event.turn === now.turn.number;
      spread = latest
        ? { ...spreadOf(now, opened), chosen: null }
        : { player: event.player, cards: event.data.cards ?? [null, null], chosen: null };
      add({ effect: "deal", player: event.player, sound: "deal", ms: event.data.reshuffled ? 600 : 380 });
    } else if (event.event === "cardChosen") {
      spread = chosenSpread(event.player, event.data.card, event.data.index, event.data.discarded);
      add({ effect: "choose", player: event.player, sound: "flip", ms: now.viewer === event.player ? 260 : 600 });
    } else if (event.event === "turnSkipped") {
      spread = { player: event.player, cards: [], chosen: null };
      add({ effect: "skip", player: event.player, ms: 800 });
    } else if (event.event === "effectResolved") {
      const { card, ops, fizzled } = event.data;
      if (fizzled) {
        add({ effect: "fizzle", player: event.player, sound: "error", ms: 700 });
        continue;
      }
      if (card === "PolarityInversion") add({ effect: "flipOut", player: event.player, ms: 240 });
      if (card === "Take") add({ ...HOW.Take, player: event.player, points: pointsOf(ops) });
      for (const op of ops) cells = operate(cells, op, event.player, false);
      if (card !== "Take")
        add({
          ...HOW[card],
          player: card === "TimeFreeze" ? other(event.player) : event.player,
          points: pointsOf(ops),
        });
    }
  }
  return frames;
}

/** The last effect among `events`, or null. */
export function traceOf(events: GomokuEvent[]): Trace | null {
  const last = events.findLast((event) => event.event === "effectResolved");
  return last?.event === "effectResolved" ? { card: last.data.card, points: pointsOf(last.data.ops) } : null;
}

export const isStill = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;
