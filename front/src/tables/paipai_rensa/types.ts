// The view and the events of Paipai Rensa, as the game's view.py makes them.

/** Two characters: m1..m9, p1..p9, s1..s9, m0 p0 s0 the red fives, zE zS zW zN zP zF zC. */
export type Code = string;
/** Twelve rows of six, top first. */
export type Board = (Code | null)[][];

export interface PlayerSide {
  won: boolean;
  reason?: string;
  melds?: Code[][];
  pair?: Code[];
  score?: number;
}
export interface CpuSide {
  won: boolean;
  reason?: string;
  tiles?: Code[];
  board?: number;
  discards?: number;
  score?: number;
}
export interface Sides {
  player: PlayerSide;
  cpu: CpuSide;
}

export interface View {
  phase: "title" | "supply" | "place" | "chain" | "alloc" | "evaluate" | "hold" | "over";
  board: Board;
  falling: { axis: Code; rotor: Code; x: number; y: number; r: number } | null;
  last: { col: number; rot: number } | null;
  next: Code[];
  remaining: number;
  total: number;
  hand: Code[];
  discards: Code[];
  lost: Code[];
  score: number;
  cpuScore: number;
  playerWins: number;
  cpuWins: number;
  holds: number;
  chain: number;
  longest: number;
  alloc: { tiles: Code[]; assign: ("hand" | "discard")[]; cursor: number; kept: number } | null;
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
  | { type: "allocate"; hand: Code[]; discards: Code[] }
  | ({ type: "hold" } & Sides)
  | { type: "close"; score: number; cpuScore: number; board: Board; discards: Code[] }
  | { type: "spawn"; axis: Code; rotor: Code; next: Code[]; remaining: number }
  | ({ type: "over"; playerTotal: number; cpuTotal: number; winner: "player" | "cpu" | "draw" } & Sides);

export const COLS = 6;
export const ROWS = 12;
export const HAND_MAX = 14;
export const KEEP = 24;
export const DISCARD = 25;
