// How fast pairs fall on this device: remembered; nothing falls under reduced motion.

export type Pace = "none" | "slow" | "normal" | "fast";
export const PACES: Pace[] = ["none", "slow", "normal", "fast"];
/** Milliseconds per row; 0: nothing falls by itself. */
export const INTERVAL: Record<Pace, number> = { none: 0, slow: 1600, normal: 1000, fast: 500 };
export const SOFT = 4; // a held down key is this many times faster
export const REPEAT_AFTER = 350; // of a held left or right, in milliseconds
export const REPEAT_EVERY = 50;
const KEY = "qipai.paipai_rensa.pace";

export const prefersCalm = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

export function readPace(): Pace {
  try {
    const kept = localStorage.getItem(KEY) as Pace | null;
    if (kept && PACES.includes(kept)) return kept;
  } catch {
    // no storage here: the default
  }
  return prefersCalm() ? "none" : "normal";
}

export function keepPace(pace: Pace): void {
  try {
    localStorage.setItem(KEY, pace);
  } catch {
    // kept until the page is closed
  }
}
