// The view and the events of xianqi, as src/qipai/games/xianqi/view.py makes them.

import type { Line } from "../../lib/message";
import type { Type } from "./pieces";

/** Pieces by type; types that are not there have no key. */
export type Cards = Partial<Record<Type, number>>;

/** What a seat laid down in a round: a combo with its cards, or a cover (power -1) whose cards only its owner knows. */
export interface Entry {
  seat: number;
  power: number;
  cards?: Cards;
  covered_count?: number;
}

export interface Round {
  lead: number;
  kind: number;
  winner: number | null;
  entries: Entry[];
}

export interface Relation {
  revealer: number;
  buckler: number;
  was_enough: boolean;
  round: number;
}

export interface Settlement {
  enough: number[];
  reveal: number[];
  ceramic: number[];
  payoff: number[];
  lines: Line[]; // why the hand ended, every payment, the sum
}

export interface View {
  phase: "init" | "buckle_decision" | "reveal_decision" | "in_round" | "settlement" | "finished";
  viewer: number;
  seats: number;
  decider: number | null;
  first: number;
  options: Record<string, string | number>;
  hand_counts: number[];
  pillars: number[];
  goals: { enough: number; ceramic: number }; // pillars
  pays: { enough: number; ceramic: number }; // chips from each seat below enough
  powers: number[]; // of every play, by its action
  kind: number;
  best: { seat: number; power: number } | null;
  rounds: Round[];
  round: Round | null;
  buckler: number | null;
  pending: number[];
  active_revealer: number | null;
  challenger: number | null;
  relations: Relation[];
  unbuckled: number[];
  barred: number[]; // seats that collect no chips for enough
  stakes: number[] | null; // chips by seat if the hand ended now, while a buckle is open
  end: "ceramic" | "two_enough" | "exhausted" | "buckled" | "black" | null;
  hand?: Cards;
  covered?: Cards;
  picked?: string[];
  hands?: Cards[];
  covers?: Cards[];
  settlement?: Settlement;
}

/** The events that move something on the table. */
export type XianqiEvent =
  | { event: "start" }
  | { event: "play"; seat: number; action: number; cards: Cards; power: number; lead: boolean }
  | { event: "cover"; seat: number; count: number; cards?: Cards }
  | { event: "buckle"; seat: number; asked: number[] }
  | { event: "reveal"; seat: number; buckler: number; was_enough: boolean }
  | { event: "pass"; seat: number; asked: boolean }
  | { event: "round"; round: number; winner: number; kind: number; pillars: number[] };

/** Where a seat sits, seen from the viewer: play goes from the viewer to the right. */
export type Side = "own" | "right" | "left";
