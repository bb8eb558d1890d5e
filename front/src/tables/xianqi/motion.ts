// Events as an animation: the middle of the table, frame by frame, before the view itself is shown.

import type { SoundName } from "../contract";
import type { Entry, View, XianqiEvent } from "./types";

export interface Frame {
  trick: Entry[];
  pillars: number[];
  fresh: number | null; // the seat whose pieces are just being laid down
  best: number | null; // the seat that leads the trick
  stamp: {
    seat: number;
    word: "table.stamp.buckle" | "table.stamp.reveal" | "table.stamp.pass" | "table.stamp.open";
  } | null;
  sweep: number | null; // the seat that takes the trick
  deal: boolean;
  sound: SoundName | null;
  ms: number;
}

/** What lay in the middle before `events`, and the pillars then, derived from the result. */
function start(now: View, events: XianqiEvent[]): { trick: Entry[]; pillars: number[] } {
  const first = events.findIndex((event) => event.event === "round");
  const closing = events[first];
  const until = first < 0 ? events : events.slice(0, first);
  const laid = until.filter((event) => event.event === "play" || event.event === "cover").length;
  const full = (closing?.event === "round" ? now.rounds[closing.round] : now.round)?.entries ?? [];
  const pillars = [...now.pillars];
  for (const event of events) if (event.event === "round") pillars[event.winner]! -= event.kind;
  return { trick: full.slice(0, Math.max(0, full.length - laid)), pillars };
}

/** The frames that lead to `now` along `events`. */
export function film(now: View, events: XianqiEvent[]): Frame[] {
  let { trick, pillars } = start(now, events);
  const frames: Frame[] = [];
  const add = (part: Partial<Frame>) => {
    const best = trick.reduce<Entry | null>((top, e) => (e.power >= 0 && e.power > (top?.power ?? -1) ? e : top), null);
    frames.push({
      trick,
      pillars,
      best: best?.seat ?? null,
      fresh: null,
      stamp: null,
      sweep: null,
      deal: false,
      sound: null,
      ms: 300,
      ...part,
    });
  };
  for (const event of events) {
    if (event.event === "start") {
      add({ deal: true, sound: "deal", ms: 650 });
    } else if (event.event === "play") {
      trick = [...trick, { seat: event.seat, power: event.power, cards: event.cards }];
      add({ fresh: event.seat, sound: "place", ms: 420 });
    } else if (event.event === "cover") {
      const entry: Entry = { seat: event.seat, power: -1, covered_count: event.count };
      trick = [...trick, event.cards ? { ...entry, cards: event.cards } : entry];
      add({ fresh: event.seat, sound: "place", ms: 420 });
    } else if (event.event === "buckle") {
      add({ stamp: { seat: event.seat, word: "table.stamp.buckle" }, sound: "claim", ms: 600 });
    } else if (event.event === "reveal") {
      add({ stamp: { seat: event.seat, word: "table.stamp.reveal" }, sound: "flip", ms: 600 });
    } else if (event.event === "pass") {
      add({ stamp: { seat: event.seat, word: event.asked ? "table.stamp.pass" : "table.stamp.open" }, ms: 600 });
    } else if (event.event === "round") {
      add({ ms: 500 });
      add({ sweep: event.winner, sound: "take", ms: 420 });
      trick = [];
      pillars = event.pillars;
    }
  }
  return frames;
}

export const isStill = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;
