// NANA's view as view.py makes it, and the events of `narrate`.

/** Where a card was dealt: `h1.0` the lowest of seat 1, `c4` the fifth of the centre. Never what it is. */
export type Slot = string;

export interface Link {
  slot: Slot;
  number: number;
}

/** Which end of its hand the card is; the only face-down card is both. */
export type End = "low" | "high" | "only";

export type Mode = "nana" | "simple" | "spicy";
export type WinReason = "sevens" | "connected" | "three-trios";

export interface View {
  seat: number | null;
  players: number;
  mode: Mode;
  after_success: "continue" | "pass";
  max_turns: number;
  number_range: { min: number; max: number };
  /** The numbers dealt at this table. */
  numbers: number[];
  phase: string;
  current: number;
  turn: number;
  my_hand: (Link & { face_up: boolean })[];
  hands: { seat: number; slots: Slot[] }[];
  /** By seat: the lowest and the highest card face down; empty when there is none. */
  ends: Slot[][];
  dealt: { hands: number[]; centre: number };
  centre: { slot: Slot; present: boolean; face_up: boolean }[];
  /** The chain: what is face up now, in order. */
  face_up: Link[];
  /** The last settled attempt. */
  last: { by: number; slots: Slot[] } | null;
  /** Slots in play that everyone has seen. */
  known: Record<Slot, number>;
  removed: Record<Slot, number>;
  /** By seat: numbers in order of collection. */
  collections: number[][];
  /** How this table can be won. */
  ways: WinReason[];
  /** Pairs of numbers that win as connected. */
  connected: [number, number][];
  /** By seat: the numbers whose trio would win at once. */
  wins_with: number[][];
  winner: number | null;
  win_reason: WinReason | null;
  /** The trios that won; for connected ones, whether their sum or their difference is 7. */
  winning: { numbers: number[]; link: "sum" | "difference" | null } | null;
  end: string | null;
  /** After the end: every card left. */
  cards: Record<Slot, number> | null;
  legal: number[];
  /** By slot: the legal actions that turn it up. */
  shows: Record<Slot, number[]>;
}

export type Reveal = { type: "reveal"; by: number; slot: Slot; number: number };
export type Collect = { type: "collect"; by: number; number: number; slots: Slot[] };
export type NanaEvent =
  | { event: "start"; type?: undefined }
  | Reveal
  | Collect
  | { type: "fail"; by: number }
  | { type: "turn"; player: number }
  | { type: "win"; player: number; reason: WinReason }
  | { type: "end"; reason: string };
