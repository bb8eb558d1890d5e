// Shapes in a heap of tiles: the CPU's progress, a proposal for the hand, what a hand waits for. Help for the eye, no rule.

import { codeOf, isRed, kindOf, order } from "./tiles";
import { HAND_MAX, type Code } from "./types";

const KINDS = 34;
const MELDS = 4;

function countKinds(codes: Code[]): number[] {
  const counts = Array<number>(KINDS).fill(0);
  for (const c of codes) counts[kindOf(c)]!++;
  return counts;
}

const startsRun = (kind: number): boolean => kind < 27 && kind % 9 < 7;

/** The preview of the CPU's hand: triplets by kind, then runs, at most four; then a pair. */
export function progress(pool: Code[]): { melds: Code[][]; pair: Code[] | null } {
  const counts = countKinds(pool);
  const melds: number[][] = [];
  const take = (kinds: number[]): void => {
    while (melds.length < MELDS && kinds.every((k) => counts[k]! >= kinds.filter((x) => x === k).length)) {
      for (const k of kinds) counts[k]!--;
      melds.push(kinds);
    }
  };
  for (let k = 0; k < KINDS; k++) take([k, k, k]);
  for (let k = 0; k < KINDS; k++) if (startsRun(k)) take([k, k + 1, k + 2]);
  const pair = counts.findIndex((n) => n >= 2);
  return { melds: melds.map((m) => m.map(codeOf)), pair: pair < 0 ? null : [codeOf(pair), codeOf(pair)] };
}

interface Best {
  value: number;
  steps: number[][];
}

/** The most melds (to four), then a pair, then most red fives, out of the counts. */
function bestSteps(counts: number[], reds: Set<number>): number[][] {
  const memo = new Map<number, Best>();
  // u0, u1: tiles of kind k and k + 1 that runs from below have taken
  const go = (k: number, u0: number, u1: number, melds: number, pairs: number): Best => {
    if (k === KINDS) return { value: 0, steps: [] };
    const key = (((k * 5 + u0) * 5 + u1) * 5 + melds) * 2 + pairs;
    const known = memo.get(key);
    if (known) return known;
    let best: Best = { value: -1, steps: [] };
    const left = counts[k]! - u0;
    for (const same of [0, 2, 3]) {
      if (same > left || (same === 2 && pairs) || (same === 3 && melds === MELDS)) continue;
      const started = melds + Number(same === 3);
      const most = startsRun(k) ? Math.min(left - same, counts[k + 1]! - u1, counts[k + 2]!, MELDS - started) : 0;
      for (let runs = 0; runs <= most; runs++) {
        const rest = go(k + 1, u1 + runs, runs, started + runs, pairs + Number(same === 2));
        const red = Number(reds.has(k) && u0 + same + runs > 0);
        const value = rest.value + 1000 * (Number(same === 3) + runs) + 900 * Number(same === 2) + red;
        if (value > best.value) {
          const steps = [...rest.steps];
          for (let i = 0; i < runs; i++) steps.unshift([k, k + 1, k + 2]);
          if (same) steps.unshift(Array<number>(same).fill(k));
          best = { value, steps };
        }
      }
    }
    memo.set(key, best);
    return best;
  };
  return go(0, 0, 0, 0, 0).steps;
}

export interface Shape {
  melds: Code[][];
  pair: Code[] | null;
  rest: Code[];
  complete: boolean;
}

/** A hand sorted into melds, a pair and the rest, with its own tiles. */
export function shapeOf(codes: Code[]): Shape {
  const left = [...codes].sort(order).reverse(); // red fives first
  const reds = new Set(codes.filter(isRed).map(kindOf));
  const take = (k: number): Code =>
    left.splice(
      left.findIndex((c) => kindOf(c) === k),
      1,
    )[0]!;
  const groups = bestSteps(countKinds(codes), reds).map((step) => step.map(take));
  const melds = groups.filter((g) => g.length === 3);
  const pair = groups.find((g) => g.length === 2) ?? null;
  return {
    melds,
    pair,
    rest: left.sort(order),
    complete: codes.length === HAND_MAX && melds.length === MELDS && pair !== null,
  };
}

/** Kinds of which one more completes four melds and a pair out of these tiles. */
export function waits(codes: Code[]): Code[] {
  if (codes.length < HAND_MAX - 1) return [];
  const counts = countKinds(codes);
  const found: Code[] = [];
  for (let k = 0; k < KINDS; k++) {
    if (counts[k]! >= 4) continue;
    counts[k]!++;
    const steps = bestSteps(counts, new Set());
    if (steps.length === MELDS + 1) found.push(codeOf(k));
    counts[k]!--;
  }
  return found;
}

/** Which places of a list to keep: melds and a pair first, then what goes with the rest, red fives always near the top. */
export function propose(codes: Code[]): boolean[] {
  const shape = shapeOf(codes);
  const chosen = [...shape.melds.flat(), ...(shape.pair ?? [])];
  if (chosen.length < HAND_MAX) {
    const counts = countKinds(shape.rest);
    const worth = (c: Code): number => {
      const k = kindOf(c);
      const near = (d: number): number =>
        k < 27 && k + d >= 0 && Math.floor((k + d) / 9) === Math.floor(k / 9) ? counts[k + d]! : 0;
      return (
        3 * (counts[k]! - 1) + 2 * (near(1) + near(-1)) + near(2) + near(-2) + (isRed(c) ? 3 : 0) + (k < 27 ? 0.5 : 0)
      );
    };
    const rest = [...shape.rest].sort((a, b) => worth(b) - worth(a));
    chosen.push(...rest.slice(0, HAND_MAX - chosen.length));
  }
  return codes.map((c) => {
    const at = chosen.indexOf(c);
    if (at >= 0) chosen.splice(at, 1);
    return at >= 0;
  });
}
