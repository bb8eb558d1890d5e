// What a game's table is given, and what it offers: the same for all five games.

import type { Component } from "svelte";
import type { Line, Messages } from "../lib/message";

export type Lang = "zh" | "en" | "ja";
export type Words = Record<Lang, string>;

/** An event of `narrate`, in the game's own words; tables read the keys they know. */
export type GameEvent = Record<string, unknown>;

/** Props of a table. It draws `view`, moves things by `events`, and calls `act` with a whole move. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the shell holds tables of every game
export interface TableProps<View = any> {
  view: View;
  /** Everyone's views by seat, when they are open: a hand that is over, a replay. Draw every hand then. */
  opened: Record<string, View> | null;
  /** Whose view it is; -1: a watcher. The table is turned so that this seat is nearest. */
  seat: number;
  /** Names by seat. */
  names: string[];
  /** Actions open to the viewer now; empty when it is not asked. */
  legal: number[];
  /** What led from the view before to this one, in order. Empty: show `view` without motion. */
  events: GameEvent[];
  /** What the log says of those events, in the same order; null where it says nothing. */
  lines: (Line | null)[];
  /** Grows with every new view, so that the same events are not played twice. */
  tick: number;
  lang: Lang;
  /** A move is on its way, or this is not the time: show, but do not take input. */
  frozen: boolean;
  /** Lesson: the actions to point at. */
  hint: number[];
  /** NANA's memory aid and the like; table options the page knows. */
  aid: boolean;
  over: boolean;
  payoff: number[] | null;
  /** Send one whole move (all actions of a compound one, in order). */
  act: (actions: number[]) => void;
  /** Asks for another hand, where the viewer may: the hand is over and this seat is not ready yet. */
  again?: (() => void) | null;
  /** Short sounds by name; does nothing when muted. */
  sound: (name: SoundName) => void;
}

export type SoundName = "deal" | "place" | "flip" | "take" | "claim" | "win" | "lose" | "chain" | "error" | "turn";

/** What a game's folder exports by default from `index.ts`. */
export interface TableModule {
  Table: Component<TableProps>;
  /** A small living picture for the lobby: no props, moves by itself gently (still under reduced motion). */
  Preview: Component<Record<string, never>>;
  /** The game's sentences: the server sends log lines as keys and values. */
  messages: Messages;
  /** One line for the lobby. */
  pitch: Words;
  /** Keys, for the help sheet: [key, what it does]. */
  keys: { key: string; does: Words }[];
}
