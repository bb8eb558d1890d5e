// Motion of tiles from events: each lands where the view has put it. A newer tick finishes what runs.

import { paced } from "../../lib/comfort.svelte";
import type { GameEvent, SoundName } from "../contract";
import type { MoveKind } from "./types";

export interface Call {
  seat: number;
  kind: Exclude<MoveKind, "discard" | "pass">;
}

const STEP = 260; // from one event to the next, ms
const FLIGHT = 300;
const DEAL = 24; // between two dealt tiles

/** Runs the motions of one table. Spots are elements with data-spot: hand-N, river-N, melds-N, laid-N, wall. */
export class Motion {
  private running: Animation[] = [];
  private timers: number[] = [];

  constructor(
    private root: HTMLElement,
    private onCall: (call: Call | null) => void,
    private sound: (name: SoundName) => void,
  ) {}

  /** Show everything where it belongs, at once. */
  finish(): void {
    for (const animation of this.running) animation.finish();
    for (const timer of this.timers) window.clearTimeout(timer);
    this.running = [];
    this.timers = [];
    this.onCall(null);
  }

  /** Play events in order; how long that takes. `me` is the seat whose end is won or lost. */
  play(events: GameEvent[], me: number): number {
    this.finish();
    const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    let delay = 0;
    for (const event of events.slice(-8)) delay += this.one(event, delay, still, me);
    return delay;
  }

  private one(event: GameEvent, delay: number, still: boolean, me: number): number {
    const seat = event.seat as number;
    const kind = String(event.event);
    const from = (spot: string, to: string, take: (tiles: HTMLElement[]) => HTMLElement[]) => {
      if (!still) this.fly(spot, to, take, delay);
    };
    const last = (n: number) => (tiles: HTMLElement[]) => tiles.slice(-n);
    const same = (tiles: HTMLElement[]) => tiles.filter((tile) => tile.dataset.code === event.tile);
    switch (kind) {
      case "start":
        this.say("deal", delay);
        if (!still) this.deal(me < 0 ? 0 : me);
        return 500;
      case "discard":
        from(`hand-${seat}`, `river-${seat}`, last(1));
        this.say("place", delay + FLIGHT - 60);
        return STEP;
      case "draw":
        from("wall", `hand-${seat}`, last(1));
        if (seat === me) this.say("take", delay);
        return seat === me ? STEP : STEP / 2;
      case "chow":
      case "pong":
      case "kong_exposed":
        from(`river-${event.from as number}`, `melds-${seat}`, last(kind === "kong_exposed" ? 4 : 3));
        this.call({ seat, kind }, delay);
        return STEP + 80;
      case "kong_supplement":
      case "kong_concealed":
        from(`hand-${seat}`, `melds-${seat}`, kind === "kong_concealed" ? last(4) : (tiles) => same(tiles).slice(-1));
        this.call({ seat, kind }, delay);
        return STEP + 80;
      case "kong_red":
      case "kong_skin":
      case "kong_lazy":
        from(`hand-${seat}`, `laid-${seat}`, (tiles) => same(tiles).slice(-1));
        this.call({ seat, kind }, delay);
        return STEP + 80;
      case "win":
        this.call({ seat, kind }, delay);
        return 700;
      case "end":
        this.say(
          ((event.deltas as number[])[me] ?? 0) ? ((event.deltas as number[])[me]! > 0 ? "win" : "lose") : "flip",
          delay,
        );
        return 300;
      default:
        return 0;
    }
  }

  private call(call: Call, delay: number): void {
    this.timers.push(
      window.setTimeout(() => {
        this.onCall(call);
        this.sound("claim");
      }, paced(delay)),
    );
    this.timers.push(window.setTimeout(() => this.onCall(null), paced(delay) + 1100));
  }

  private say(name: SoundName, delay: number): void {
    this.timers.push(window.setTimeout(() => this.sound(name), paced(delay)));
  }

  private spot(name: string): HTMLElement | null {
    return this.root.querySelector<HTMLElement>(`[data-spot="${name}"]`);
  }

  private tilesIn(spot: HTMLElement): HTMLElement[] {
    return [...spot.querySelectorAll<HTMLElement>("[data-code]")];
  }

  private fly(start: string, end: string, take: (tiles: HTMLElement[]) => HTMLElement[], delay: number): void {
    const source = this.spot(start)?.getBoundingClientRect();
    const target = this.spot(end);
    if (!source || !target) return;
    const x = source.left + source.width / 2;
    const y = source.top + source.height / 2;
    take(this.tilesIn(target)).forEach((tile) => {
      const box = tile.getBoundingClientRect();
      const dx = x - box.left - box.width / 2;
      const dy = y - box.top - box.height / 2;
      const frames = [
        { transform: `translate(${dx}px, ${dy}px) scale(1.15)`, opacity: 0, zIndex: 5 },
        { opacity: 1, offset: 0.15 },
        { transform: "none", opacity: 1, zIndex: 5 },
      ];
      this.running.push(
        tile.animate(frames, {
          duration: paced(FLIGHT),
          delay: paced(delay),
          fill: "backwards",
          easing: "cubic-bezier(.2,.7,.3,1)",
        }),
      );
    });
  }

  private deal(me: number): void {
    const hand = this.spot(`hand-${me}`);
    if (!hand) return;
    this.tilesIn(hand).forEach((tile, n) => {
      const frames = [
        { transform: "translateY(-60px) rotate(-6deg)", opacity: 0 },
        { transform: "none", opacity: 1 },
      ];
      this.running.push(
        tile.animate(frames, {
          duration: paced(260),
          delay: paced(n * DEAL),
          fill: "backwards",
          easing: "cubic-bezier(.2,.8,.3,1)",
        }),
      );
    });
  }
}
