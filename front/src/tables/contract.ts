// The interface of a game's table: its props and exports, the same for all games.

import type { Component } from "svelte";
import type { Line, Messages } from "../lib/message";

export type Lang = "zh" | "en" | "ja";
export type Words = Record<Lang, string>;

/** An event of `narrate`; tables read the keys they know. */
export type GameEvent = Record<string, unknown>;

/** The clock of a seat: when its time ends, by performance.now(); null while it does not run. In milliseconds. */
export interface SeatClock {
  total: number;
  deadline: number | null;
}

/** Props of a table. It draws `view`, moves things by `events`, and calls `act` with a whole move. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the shell holds tables of every game
export interface TableProps<View = any> {
  view: View;
  /** Everyone's views by seat, if they are public (a finished hand, a replay). Draw every hand then. */
  opened: Record<string, View> | null;
  /** Whose view it is; -1: a watcher. The table is turned so that this seat is nearest. */
  seat: number;
  /** Names by seat. */
  names: string[];
  /** The viewer's legal actions; empty if it is not asked. */
  legal: number[];
  /** What led from the previous view to this one, in order. Empty: show `view` without motion. */
  events: GameEvent[];
  /** The log lines of those events, in the same order; null if there is none. */
  lines: (Line | null)[];
  /** Grows with every new view, so that the same events are not played twice. */
  tick: number;
  lang: Lang;
  /** A move has been sent, or input is not possible now: show, but accept no input. */
  frozen: boolean;
  /** Lesson: the actions to point at. */
  hint: number[];
  /** NANA's memory aid and the like; table options the page knows. */
  aid: boolean;
  over: boolean;
  payoff: number[] | null;
  /** Send one whole move (all actions of a compound one, in order). */
  act: (actions: number[]) => void;
  /** The clock of each seat, for its plate; null: it has none. */
  clocks?: (SeatClock | null)[];
  /** Requests another hand, if the hand is over and this seat is not ready yet. */
  again?: (() => void) | null;
  /** Says whether `events` are still being shown in motion: the log next to the table waits for that. */
  moving?: (moving: boolean) => void;
  /** Short sounds by name; does nothing when muted. */
  sound: (name: SoundName) => void;
}

export type SoundName = "deal" | "place" | "flip" | "take" | "claim" | "win" | "lose" | "chain" | "error" | "turn";

/** What a game's folder exports by default from `index.ts`. */
export interface TableModule {
  Table: Component<TableProps>;
  /** A small animated picture for the lobby: no props, gentle motion (none under reduced motion). */
  Preview: Component<Record<string, never>>;
  /** The game's sentences: the server sends log lines as keys and values. */
  messages: Messages;
  /** One line for the lobby. */
  pitch: Words;
  /** A game of memory: its log is hidden until the hand is over, unless the table has the memory aid. */
  memory?: boolean;
  /** Keys, for the help sheet: [key, what it does]. */
  keys: { key: string; does: Words }[];
  /** What players of this game call its log, if they have a word of their own. */
  log?: Words;
}

/** A row of pieces that belong together; null: face down. */
export interface GuideGroup {
  pieces: (string | null)[];
  mark?: number[];
  note?: string;
  line?: Line;
}
export interface GuideBoard {
  cells: (string | null)[][];
  mark?: [number, number][];
}
export interface GuideRow {
  line?: Line;
  groups?: GuideGroup[];
  boards?: GuideBoard[];
  terms?: Line[];
  total?: number;
  paid?: number;
}
/** What a caption takes from its example: a number, or somebody at the table. */
export type GuideValue = number | { seat: number };
/** A worked example of a rules page, computed by the rules (docs/sitemaker/guides). */
export interface GuideExample {
  values: Record<string, GuideValue>;
  rows: GuideRow[];
}

/** What a game's folder exports by default from `guide.ts`: its rules for players. */
export interface GuideModule {
  texts: Words;
  examples: Record<string, GuideExample>;
  messages: Messages;
  Piece: Component<{ piece: string | null; lang: Lang; mark: boolean }>;
  /** A board; without one its cells are drawn as pieces on a grid. */
  Board?: Component<{ board: GuideBoard }>;
  /** What a piece is called. */
  named: (piece: string | null, lang: Lang) => string;
}
