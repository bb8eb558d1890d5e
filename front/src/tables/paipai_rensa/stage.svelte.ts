// What is on the table while events are played: tiles that drop, vanish or are taken, the chain's caption, HOLD.

import { paced } from "../../lib/comfort.svelte";
import type { SoundName } from "../contract";
import { stops } from "./flow";
import {
  COLS,
  ROWS,
  type Board,
  type Code,
  type Event,
  type Progress,
  type Shape,
  type Sides,
  type View,
} from "./types";

export interface Piece {
  id: number;
  code: Code;
  x: number;
  y: number;
  look: "" | "pop" | "taken";
  ms: number; // of its current fall
}

export interface Shown {
  score: number;
  cpuScore: number;
  cpuWins: number;
  hand: Code[];
  shape: Shape;
  progress: Progress;
  discards: Code[];
  chain: number;
  next: Code[];
  remaining: number;
}
export interface How {
  patient: boolean;
  dropped: boolean;
  sound: (name: SoundName) => void;
}
const NO_SHAPE: Shape = { melds: [], pair: null, rest: [], complete: false, waits: [] };
const REFLEX = 350; // a key meant for the pair does not close HOLD
const STALE = Symbol("a newer view has come");
type Of<T extends Event["type"]> = Extract<Event, { type: T }>;

const TICK = 330; // between the parts of a chain, in milliseconds
const GLANCE = 900; // HOLD without a winner is a short notice
const LOOK = 4500; // with one, where nobody is asked to go on

export class Stage {
  pieces = $state<Piece[]>([]);
  playing = $state(false);
  caption = $state<{ chain: number; points: number } | null>(null);
  hold = $state<Sides | null>(null);
  gone = $state<Code[]>([]); // what the last allocation let go
  last = $state<number[]>([]); // ids of the pair that landed last
  waits = $state(false); // HOLD stays until someone continues
  shown = $state<Shown>({
    score: 0,
    cpuScore: 0,
    cpuWins: 0,
    hand: [],
    shape: NO_SHAPE,
    progress: NO_SHAPE,
    discards: [],
    chain: 0,
    next: [],
    remaining: 0,
  });
  #turn = 0; // grows with every new view; animations of older ones end
  #ids = 0;
  #heldAt = 0; // when HOLD was shown
  #goOn: (() => void) | null = null;

  /** Show a view as it is. */
  show(view: View): void {
    this.#turn++;
    this.#goOn?.();
    this.playing = false;
    this.caption = this.hold = null;
    this.#set(view.board);
    const { score, cpuScore, cpuWins, hand, shape, progress, discards, chain, next, remaining } = view;
    this.shown = { score, cpuScore, cpuWins, hand, shape, progress, discards, chain, next, remaining };
  }

  /** Play what led to `view`, then show it. `before`: what stood there when it began. */
  async play(events: Event[], before: View, view: View, how: How): Promise<void> {
    this.show(before);
    this.playing = true;
    try {
      for (const event of events) await this.#step(event, how);
      this.show(view);
    } catch (reason) {
      if (reason !== STALE) throw reason;
    }
  }

  /** Stop without changes: the table is being removed. */
  stop(): void {
    this.#turn++;
    this.#goOn?.();
  }

  /** HOLD is closed by a key, a click, or time. */
  goOn(): void {
    if (performance.now() - this.#heldAt > REFLEX) this.#goOn?.();
  }

  async #step(event: Event, how: How): Promise<void> {
    switch (event.type) {
      case "land":
        return this.#land(event, how);
      case "clear":
        return this.#clear(event, how);
      case "alloc":
        return this.#settle();
      case "allocate":
        this.shown.hand = event.hand;
        this.shown.shape = event.shape;
        this.shown.discards = [...this.shown.discards, ...event.discards];
        this.gone = event.discards;
        how.sound("take");
        return;
      case "hold":
        return this.#hold(event, how);
      case "close":
        return this.#close(event);
      case "spawn":
        this.shown.next = event.next;
        this.shown.remaining = event.remaining;
        return;
      case "over":
        how.sound(event.winner === "cpu" ? "lose" : "win");
    }
  }

  async #land(event: Of<"land">, how: How): Promise<void> {
    const at = event.cells;
    const kept = this.pieces.filter((p) => !at.some(([x, y]) => p.x === x && p.y === y));
    const top = Math.min(...at.map(([, y]) => y));
    const fresh = at.map(([x, y]) => this.#piece(event.board[y]![x]!, x, how.dropped ? y : y - top));
    this.pieces = [...kept, ...fresh];
    this.last = fresh.map((p) => p.id);
    if (!how.dropped) {
      await this.#wait(140);
      for (const [i, [, y]] of at.entries()) this.pieces[kept.length + i]!.y = y;
      for (const p of this.pieces.slice(kept.length)) p.ms = 240;
      await this.#wait(240);
    }
    how.sound("place");
    this.#agree(event.board);
    await this.#settle();
  }

  async #clear(event: Of<"clear">, how: How): Promise<void> {
    await this.#settle();
    for (const p of this.pieces) p.look = event.board[p.y]?.[p.x] ? "" : "pop";
    this.caption = { chain: event.chain, points: event.points };
    this.shown.chain = event.chain;
    this.shown.score += event.points;
    how.sound("chain");
    await this.#wait(TICK + 220);
    this.pieces = this.pieces.filter((p) => p.look !== "pop");
    this.#agree(event.board);
    await this.#wait(TICK / 3);
    this.caption = null;
  }

  async #hold(event: Of<"hold">, how: How): Promise<void> {
    const turn = this.#turn;
    const won = stops(event);
    if (won) how.sound(event.player.won ? "win" : "lose");
    this.hold = { player: event.player, cpu: event.cpu };
    this.waits = won && how.patient;
    this.#heldAt = performance.now();
    await new Promise<void>((done) => {
      this.#goOn = done;
      if (!this.waits) setTimeout(done, won ? LOOK : GLANCE);
    });
    this.#goOn = null;
    if (turn !== this.#turn) throw STALE;
    this.hold = null;
    if (event.player.won) {
      this.shown.hand = [];
      this.shown.shape = NO_SHAPE;
    }
  }

  /** Finds what the CPU took by comparing columns. */
  async #close(event: Of<"close">): Promise<void> {
    let taken = 0;
    for (let x = 0; x < COLS; x++) {
      const after = event.board
        .map((row) => row[x])
        .filter((c) => c)
        .reverse();
      let n = 0;
      for (const p of this.pieces.filter((q) => q.x === x).sort((a, b) => b.y - a.y)) {
        if (p.code === after[n]) n++;
        else {
          p.look = "taken";
          taken++;
        }
      }
    }
    this.shown.discards = event.discards;
    this.shown.score = event.score;
    this.shown.cpuScore = event.cpuScore;
    if (taken) await this.#wait(650);
    this.pieces = this.pieces.filter((p) => p.look !== "taken");
    await this.#settle();
    this.#agree(event.board);
  }

  /** Everything drops as far as it can. */
  async #settle(): Promise<void> {
    let longest = 0;
    for (let x = 0; x < COLS; x++) {
      const column = this.pieces.filter((p) => p.x === x).sort((a, b) => b.y - a.y);
      for (const [i, p] of column.entries()) {
        const y = ROWS - 1 - i;
        if (p.y === y) continue;
        p.ms = 110 + 30 * (y - p.y);
        p.y = y;
        longest = Math.max(longest, p.ms);
      }
    }
    if (longest) await this.#wait(longest + 60);
  }

  /** The server's board is authoritative: start again from it if ours differs. */
  #agree(board: Board): void {
    const full = board.flat().filter((c) => c).length;
    if (full !== this.pieces.length || this.pieces.some((p) => board[p.y]?.[p.x] !== p.code)) this.#set(board);
  }

  #set(board: Board): void {
    const found: Piece[] = [];
    const left = [...this.pieces];
    board.forEach((row, y) =>
      row.forEach((code, x) => {
        if (!code) return;
        const same = left.findIndex((p) => p.x === x && p.y === y && p.code === code);
        const id = same < 0 ? ++this.#ids : left.splice(same, 1)[0]!.id;
        found.push({ id, code, x, y, look: "", ms: 0 });
      }),
    );
    this.pieces = found;
  }

  #piece(code: Code, x: number, y: number): Piece {
    return { id: ++this.#ids, code, x, y, look: "", ms: 0 };
  }

  async #wait(ms: number): Promise<void> {
    const turn = this.#turn;
    await new Promise((done) => setTimeout(done, paced(ms)));
    if (turn !== this.#turn) throw STALE;
  }
}
