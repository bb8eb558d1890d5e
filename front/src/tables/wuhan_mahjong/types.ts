// The view of Wuhan mahjong as view.py makes it, and the events of `narrate`.

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
}

export interface Entry {
  type: string;
  tile: Code | null;
  seat: number;
}

export interface Outcome {
  winner: number | null;
  win_way: WinWay | null;
  types: WinType[];
  substitutes: number | null;
  /** Who pays for all. */
  contractor: number | null;
  /** Of a drawn hand: who was ready. */
  ready: boolean[] | null;
  fans: number[];
  deltas: number[];
}

export interface Options {
  min_win: number;
  cap: number;
  golden_mode: "raise" | "limit";
  kou_kou_fan: "on" | "off";
  small_laizi: number;
  big_laizi: number;
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
  options: Options;
  wall_left: number;
  hand_counts: number[];
  melds: Meld[][];
  special_kongs: Code[][];
  rivers: Code[][];
  fans: number[];
  claimed: { tile: Code; seat: number } | null;
  win_way: WinWay | null;
  history: Entry[];
  // a seat's own
  hand?: Code[];
  drawn?: Code | null;
  answer?: number | null;
  legal?: number[];
  waits?: Code[];
  ready_discards?: Record<Code, Code[]>;
  // after the end
  hands?: Code[][];
  wall?: Code[];
  result?: Outcome;
}

export type Special = "laizi" | "skin" | "red";
