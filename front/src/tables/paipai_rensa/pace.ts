// How pairs fall and turn on this device: remembered; nothing falls under reduced motion.

export type Pace = "none" | "slow" | "normal" | "fast";
export const PACES: Pace[] = ["none", "slow", "normal", "fast"];
/** Milliseconds per row; 0: nothing falls by itself. */
export const INTERVAL: Record<Pace, number> = { none: 0, slow: 1600, normal: 1000, fast: 500 };
const GAIN = 0.008; // of the interval, by which each pair placed shortens it
const FLOOR = 0.6; // of the interval, which is reached after 50 pairs
export const SOFT = 4; // a held down key is this many times faster
export const REPEAT_AFTER = 350; // of a held left or right, in milliseconds
export const REPEAT_EVERY = 50;
const KEY = "qipai.paipai_rensa.pace";

/** Choices of live play besides the pace, on at first. */
export type Habit = "kicks" | "quickens" | "single";
export const HABITS: Habit[] = ["kicks", "quickens", "single"];

/** Milliseconds per row after `placed` pairs; a pace that quickens never takes less than 60 % of its time. */
export const intervalOf = (pace: Pace, placed: number, quickens: boolean): number =>
  INTERVAL[pace] * (quickens ? Math.max(FLOOR, 1 - GAIN * placed) : 1);

export const prefersCalm = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

export function readPace(): Pace {
  const kept = read(KEY) as Pace | null;
  if (kept && PACES.includes(kept)) return kept;
  return prefersCalm() ? "none" : "normal";
}

export const keepPace = (pace: Pace): void => keep(KEY, pace);

export const readHabit = (habit: Habit): boolean => read(keyOf(habit)) !== "off";

export const keepHabit = (habit: Habit, on: boolean): void => keep(keyOf(habit), on ? "on" : "off");

const keyOf = (habit: Habit): string => `qipai.paipai_rensa.${habit}`;

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // no storage here: the default
  }
}

function keep(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // kept until the page is closed
  }
}
