// The falling pair: keys and time move it, and a landing is reported as a placement.

import { landing, lowered, moved, type Place } from "./fall";
import { REPEAT_AFTER, REPEAT_EVERY, SOFT } from "./pace";
import type { Code, Landings } from "./types";

export interface Pair extends Place {
  axis: Code;
  rotor: Code;
}

export class Live {
  pair = $state<Pair | null>(null);
  sent = $state(false); // it has landed, and the server has not answered yet
  soft = false; // the down key is held
  kicks = false; // a turn without room may push the pair aside
  #side = 0; // the left or right key is held
  #sideMs = 0; // until it repeats
  #fallMs = 0; // since the last row
  #landings: Landings = {};
  #land: (place: Place) => boolean;

  /** `land` receives a placement and returns whether it was accepted. */
  constructor(land: (place: Place) => boolean) {
    this.#land = land;
  }

  begin(pair: Pair, landings: Landings): void {
    this.pair = { ...pair };
    this.#landings = landings;
    this.#fallMs = 0;
    this.sent = this.soft = false;
  }

  end(): void {
    this.pair = null;
    this.sent = this.soft = false;
    this.#side = 0;
  }

  /** Whether it moved. */
  move(dx: number, turn: number): boolean {
    if (!this.pair || this.sent) return false;
    const to = moved(this.#landings, this.pair, dx, turn, this.kicks);
    const did = to !== this.pair;
    if (did) Object.assign(this.pair, to);
    return did;
  }

  /** A left or right key goes down (-1, 1) or up (0). */
  hold(side: number): boolean {
    this.#side = side;
    this.#sideMs = REPEAT_AFTER;
    return side ? this.move(side, 0) : true;
  }

  holds(side: number): boolean {
    return this.#side === side;
  }

  step(): void {
    if (!this.pair || this.sent) return;
    this.#fallMs = 0;
    const to = lowered(this.#landings, this.pair);
    if (to) this.pair.y = to.y;
    else this.#landed();
  }

  drop(): void {
    if (!this.pair || this.sent) return;
    this.pair.y = landing(this.#landings, this.pair).y;
    this.#landed();
  }

  /** Straight to a column and a turn, then down: what a click on a column does. */
  put(x: number, r: number): void {
    if (!this.pair || this.sent) return;
    this.pair.x = x;
    this.pair.r = r;
    this.drop();
  }

  /** `ms` have passed; a row takes `interval`. */
  pass(ms: number, interval: number): void {
    if (!this.pair || this.sent) return;
    if (this.#side) {
      for (this.#sideMs -= ms; this.#sideMs <= 0; this.#sideMs += REPEAT_EVERY) this.move(this.#side, 0);
    }
    if (!interval) return;
    this.#fallMs += ms;
    if (this.#fallMs >= interval / (this.soft ? SOFT : 1)) this.step();
  }

  #landed(): void {
    this.soft = false;
    this.sent = this.#land({ ...this.pair! });
    if (!this.sent && this.pair) this.pair.y = 0;
  }
}
