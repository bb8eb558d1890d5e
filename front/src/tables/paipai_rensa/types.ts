// The view and the events of Paipai Rensa, as the game's view.py makes them.

/** Two characters: m1..m9, p1..p9, s1..s9, m0 p0 s0 the red fives, zE zS zW zN zP zF zC. */
export type Code = string;
/** Twelve rows of six, top first. */
export type Board = (Code | null)[][];

export type Cell = [x: number, y: number];

/** What one side has at HOLD: a complete hand with its points, or why there is none. */
export interface Side {
  won: boolean;
  reason?: string;
  groups?: Code[][]; // four melds, then the pair
  reds?: number;
  base?: number;
  redPoints?: number;
  score?: number;
  board?: number; // of the CPU: how many tiles come from where
  discards?: number;
}
export interface Sides {
  player: Side;
  cpu: Side;
}

/** How deep a pair falls (-1: it is blocked and lands where it is), and where axis and rotor come to rest. */
export interface Landing {
  y: number;
  cells: [Cell, Cell];
}
/** By placement. */
export type Landings = Record<string, Landing>;

/** A hand sorted into melds, a pair and the rest, and the tiles that would complete it. */
export interface Shape {
  melds: Code[][];
  pair: Code[] | null;
  rest: Code[];
  complete: boolean;
  waits: Code[];
}

/** The hand that the CPU has so far. */
export interface Progress {
  melds: Code[][];
  pair: Code[] | null;
  complete: boolean;
}

export interface Alloc {
  tiles: Code[];
  groups: number[][]; // the best melds of the list, then its pair, by place
  suggest: boolean[]; // which to keep
  waits: Code[]; // of the suggested hand
  assign: ("hand" | "discard")[];
  cursor: number;
  kept: number;
}

export interface View {
  phase: "title" | "supply" | "place" | "chain" | "alloc" | "evaluate" | "hold" | "over";
  board: Board;
  falling: { axis: Code; rotor: Code; x: number; y: number; r: number } | null;
  landings: Landings;
  last: { col: number; rot: number } | null;
  next: Code[];
  remaining: number;
  total: number;
  hand: Code[];
  shape: Shape;
  progress: Progress;
  discards: Code[];
  lost: Code[];
  score: number;
  cpuScore: number;
  playerWins: number;
  cpuWins: number;
  holds: number;
  chain: number;
  longest: number;
  alloc: Alloc | null;
  result: { playerTotal: number; cpuTotal: number; winner: "player" | "cpu" | "draw" } | null;
}

export type Event =
  | {
      type: "land";
      col: number;
      rot: number;
      axis: Code;
      rotor: Code;
      cells: [number, number][];
      lost: Code[];
      board: Board;
    }
  | { type: "clear"; chain: number; tiles: Code[]; points: number; board: Board }
  | { type: "alloc"; tiles: Code[]; board: Board }
  | { type: "allocate"; hand: Code[]; shape: Shape; discards: Code[] }
  | ({ type: "hold" } & Sides)
  | { type: "close"; score: number; cpuScore: number; board: Board; discards: Code[] }
  | { type: "spawn"; axis: Code; rotor: Code; next: Code[]; remaining: number }
  | ({ type: "over"; playerTotal: number; cpuTotal: number; winner: "player" | "cpu" | "draw" } & Sides);

export const COLS = 6;
export const ROWS = 12;
export const HAND_MAX = 14;
export const KEEP = 24;
export const DISCARD = 25;
