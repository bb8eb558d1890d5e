// A tile that is pulled out of the hand.

export interface Held {
  fromX: number;
  fromY: number;
  /** How far the pointer has moved since, in px. */
  dx: number;
  dy: number;
}

const SLIP = 8; // a click of an unsteady hand

/** Whether the tile follows the pointer: not yet after a few pixels, which may be a click. */
export const isPulled = ({ dx, dy }: Held): boolean => Math.hypot(dx, dy) > SLIP;

/** Whether the tile, `w` wide, would be discarded here: pulled up by most of its height. */
export const isOut = (held: Held, w: number): boolean => isPulled(held) && held.dy < -w;
