// A view for tests: seat 0 opens the first round.

import type { View } from "./types";

const POWERS = [9, 8, 7, 6, 5, 4, 3, 3, 2, 2, 1, 0, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 11, 10];

/** The view of seat 0 at the start of a hand, with some keys changed. */
export const sample = (more: Partial<View>): View => ({
  phase: "buckle_decision",
  viewer: 0,
  seats: 3,
  decider: 0,
  first: 0,
  options: {},
  hand_counts: [8, 8, 8],
  pillars: [0, 0, 0],
  goals: { enough: 3, ceramic: 6 },
  pays: { enough: 1, ceramic: 3 },
  powers: POWERS,
  kind: 0,
  best: null,
  rounds: [],
  round: { lead: 0, kind: 0, winner: null, entries: [] },
  buckler: null,
  pending: [],
  active_revealer: null,
  challenger: null,
  relations: [],
  unbuckled: [],
  barred: [],
  stakes: [0, 0, 0],
  end: null,
  hand: { R_SHI: 1, R_MA: 2, R_GOU: 1, R_NIU: 3, B_NIU: 1 },
  covered: {},
  picked: [],
  ...more,
});
