// What makes playing comfortable on this device: volume, speed of motion, pace of bots, suits told apart without colour.
import { keep, kept } from "./keep";
import * as sound from "./sound";

export const SPEEDS = ["slow", "normal", "fast"] as const;
export type Speed = (typeof SPEEDS)[number];
const TIMES: Record<Speed, number> = { slow: 1.7, normal: 1, fast: 0.45 };

const speedOf = (name: string): Speed => SPEEDS.find((one) => one === kept(name)) ?? "normal";

class Comfort {
  volume: number = $state(sound.volume());
  motion: Speed = $state(speedOf("motion"));
  bots: Speed = $state(speedOf("bots"));
  suits: boolean = $state(kept("suits") === "yes"); // shapes and safe colours
}

export const comfort = new Comfort();

/** A time of motion, at the speed that was chosen. */
export const paced = (ms: number): number => ms * TIMES[comfort.motion];

/** Runs transitions and animations of style sheets at that speed too; for the element that they happen in. */
export function pacing(event: Event): void {
  if (comfort.motion === "normal" || !(event.target instanceof Element)) return;
  for (const one of event.target.getAnimations())
    if (one instanceof CSSTransition || one instanceof CSSAnimation) one.playbackRate = 1 / TIMES[comfort.motion];
}

export function chooseVolume(volume: number): void {
  comfort.volume = volume;
  sound.setVolume(volume);
}

export function chooseMotion(speed: Speed): void {
  comfort.motion = speed;
  keep("motion", speed);
}

export function chooseBots(speed: Speed): void {
  comfort.bots = speed;
  keep("bots", speed);
}

export function chooseSuits(safe: boolean): void {
  comfort.suits = safe;
  keep("suits", safe ? "yes" : "no");
  showSuits();
}

/** Tells style sheets which suits to draw. */
export function showSuits(): void {
  document.documentElement.dataset.suits = comfort.suits ? "safe" : "usual";
}
