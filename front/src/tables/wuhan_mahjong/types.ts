// The view of Wuhan mahjong as view.py makes it.

import type { Line } from "../../lib/message";

/** A tile as text: 1m-9m characters, 1s-9s bamboo, 1p-9p dots, 1z-7z winds and dragons. */
export type Code = string;

export type MeldType = "CHOW" | "PONG" | "KONG_EXPOSED" | "KONG_SUPPLEMENT" | "KONG_CONCEALED";
export type WinWay = "SELF_DRAW" | "ROB_KONG" | "KONG_SELF_DRAW" | "DISCARD";
export type WinType =
  | "SOFT_WIN"
  | "HARD_WIN"
  | "PURE_FLUSH"
  | "PENG_PENG_HU"
  | "ALL_WIND"
  | "ALL_JIANG"
  | "FULLY_MELDED"
  | "FLOWER_ON_KONG"
  | "LAST_TILE_WIN"
  | "ROB_KONG";

export interface Meld {
  type: MeldType;
  /** null: another seat's concealed kong. */
  tiles: Code[] | null;
  from: number;
  /** What it multiplies its owner's fan by. */
  fan: number;
}

/** The special kongs of one kind. */
export interface Laid {
  tile: Code;
  special: Special;
  count: number;
  fan: number;
}

export type MoveKind =
  | "discard"
  | "chow"
  | "pong"
  | "kong_exposed"
  | "kong_supplement"
  | "kong_concealed"
  | "kong_red"
  | "kong_skin"
  | "kong_lazy"
  | "win"
  | "pass";

/** A legal action. */
export interface Move {
  action: number;
  kind: MoveKind;
  /** The tiles it brings together. */
  tiles: Code[];
  /** Which of them is the claimed one. */
  claimed: number | null;
  /** What a special kong multiplies the fan by. */
  fan: number | null;
}

export type FactorName = "small" | "big" | "fan" | "hard" | "self_draw" | "discarder" | "dealer" | "unopened";

export interface Payment {
  from: number;
  to: number;
  factors: { of: FactorName; seat?: number; n: number }[];
  /** Before caps. */
  raw: number;
  /** Its own share, also where a contract makes one seat pay for all. */
  paid: number;
  limit: "capped" | "golden" | null;
}

export interface Entry {
  type: string;
  tile: Code | null;
  seat: number;
}

export interface Outcome {
  winner: number | null;
  win_way: WinWay | null;
  /** Who discarded or announced the winning tile. */
  from: number | null;
  types: WinType[];
  substitutes: number | null;
  /** Who pays for all. */
  contractor: number | null;
  /** Of a drawn hand: who was ready. */
  ready: boolean[] | null;
  fans: number[];
  deltas: number[];
  /** The tile that won. */
  tile: Code | null;
  payments: Payment[];
  /** Who won and with what, or that nobody did. */
  headline: Line;
  /** The golden amount, where all three reached the cap. */
  golden: number | null;
}

export interface Options {
  min_win: number;
  cap: number;
  golden_mode: "raise" | "limit";
  flow_settlement: "on" | "off";
  flow_cap: number;
}

export interface View {
  phase: string;
  viewer: number;
  seats: number;
  decider: number | null;
  dealer: number;
  indicator: Code;
  laizi: Code;
  skins: [Code, Code];
  specials: Record<Code, Special>;
  options: Options;
  wall_left: number;
  hand_counts: number[];
  melds: Meld[][];
  laid: Laid[][];
  rivers: Code[][];
  fans: number[];
  claimed: { tile: Code; seat: number } | null;
  win_way: WinWay | null;
  history: Entry[];
  // a seat's own
  hand?: Code[];
  drawn?: Code | null;
  answer?: number | null;
  moves?: Move[];
  waits?: Code[];
  ready_discards?: Record<Code, Code[]>;
  /** Copies not seen yet of every kind that is or would be waited for. */
  unseen?: Record<Code, number>;
  /** What a hand that is not ready has to do first. */
  lacks?: ("open" | "red" | "skin" | "shape")[];
  // after the end
  hands?: Code[][];
  wall?: Code[];
  result?: Outcome;
}

export type Special = "laizi" | "skin" | "red";
