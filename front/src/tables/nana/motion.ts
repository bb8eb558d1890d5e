// Frames between two views, made from events: cards turn up, stay for a moment, turn back or fly away.

import { paced } from "../../lib/comfort.svelte";
import type { SoundName } from "../contract";
import type { Collect, Link, NanaEvent, Slot, View } from "./types";

export interface Frame {
  chain: Link[];
  by: number;
  /** How the attempt stands. */
  mood: "open" | "bad" | "good";
  /** Trios whose cards still lie on the table in this frame, though the view has them collected. */
  pending: Collect[];
  fly: Collect | null;
  deal: boolean;
  sound: SoundName | null;
  ms: number;
}

const TURN = 450; // a card turns up
const HOLD = 1100; // a failed attempt stays, so that it can be remembered
const BACK = 380;
const SHOW = 650; // a trio before it leaves
const FLIGHT = 480;

/** What was face up before `events`: the attempt that they continue, without the cards they turn up. */
function start(now: View, events: NanaEvent[]): Link[] {
  const closing = events.filter((event) => event.type === "fail" || event.type === "collect");
  if (closing.length > 1 || !events.some((event) => event.type === "reveal")) return [];
  const turned = new Set(events.flatMap((event) => (event.type === "reveal" ? [event.slot] : [])));
  const slots = closing.length ? (now.last?.slots ?? []) : now.face_up.map((link) => link.slot);
  return slots
    .filter((slot) => !turned.has(slot))
    .map((slot) => ({ slot, number: now.known[slot] ?? now.removed[slot]! }));
}

/** The frames that lead to `now` along `events`. */
export function film(now: View, events: NanaEvent[]): Frame[] {
  const frames: Frame[] = [];
  let chain = start(now, events);
  let by = now.current;
  let pending = events.filter((event): event is Collect => event.type === "collect");
  const add = (part: Partial<Frame>) =>
    frames.push({ chain, by, mood: "open", pending, fly: null, deal: false, sound: null, ms: TURN, ...part });
  for (const event of events) {
    if (event.type === undefined) {
      if (event.event === "start") add({ deal: true, sound: "deal", ms: 800 });
    } else if (event.type === "reveal") {
      by = event.by;
      chain = [...chain, { slot: event.slot, number: event.number }];
      add({ sound: "flip" });
    } else if (event.type === "fail") {
      add({ mood: "bad", sound: "error", ms: HOLD });
      chain = [];
      add({ sound: "place", ms: BACK });
    } else if (event.type === "collect") {
      chain = event.slots.map((slot) => ({ slot, number: event.number }));
      add({ mood: "good", sound: "chain", ms: SHOW });
      add({ mood: "good", fly: event, sound: "take", ms: FLIGHT });
      pending = pending.filter((other) => other !== event);
      chain = [];
    }
  }
  return frames;
}

export const isStill = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** The element of a slot. */
const spot = (root: HTMLElement, slot: Slot) => root.querySelector<HTMLElement>(`[data-slot="${slot}"]`);

/** From the middle of one element to that of another. */
function way(from: DOMRect, to: DOMRect): string {
  const dx = to.left + to.width / 2 - from.left - from.width / 2;
  const dy = to.top + to.height / 2 - from.top - from.height / 2;
  return `${dx}px ${dy}px`;
}

/** A trio's cards fly to the collector's row. */
export function fly(root: HTMLElement, trio: Collect): Animation[] {
  const row = root.querySelector(`[data-row="${trio.by}"]`)?.getBoundingClientRect();
  if (!row || isStill()) return [];
  return trio.slots.flatMap((slot, n) => {
    const card = spot(root, slot);
    if (!card) return [];
    const box = card.getBoundingClientRect();
    const end = { translate: way(box, row), scale: String(Math.min(1, row.height / box.height)), opacity: 0.6 };
    const start = { translate: "0 0", scale: "1", opacity: 1 };
    return card.animate([start, end], {
      duration: paced(FLIGHT - 90),
      delay: paced(n * 40),
      fill: "forwards",
      easing: "cubic-bezier(.5,0,.7,1)",
    });
  });
}

/** All cards come from the middle of the table. */
export function deal(root: HTMLElement): Animation[] {
  if (isStill()) return [];
  const middle = root.getBoundingClientRect();
  return [...root.querySelectorAll<HTMLElement>("[data-slot]")].map((card, n) => {
    const start = { translate: way(card.getBoundingClientRect(), middle), opacity: 0 };
    return card.animate([start, { translate: "0 0", opacity: 1 }], {
      duration: paced(320),
      delay: paced(n * 13),
      fill: "backwards",
      easing: "cubic-bezier(.2,.8,.3,1)",
    });
  });
}
