// Fingers on the board: drag sideways moves, drag down lowers, a quick swipe down drops, a tap turns.

export interface Gestures {
  move: (dx: number) => void;
  lower: () => void;
  drop: () => void;
  turn: (by: number) => void;
}

const FLICK_MS = 240;
const TAP_MS = 350;

/** A Svelte action; null switches it off. */
export function swipes(
  node: HTMLElement,
  given: Gestures | null,
): { update: (next: Gestures | null) => void; destroy: () => void } {
  let gestures = given;
  let held: { id: number; x: number; y: number; atX: number; atY: number; since: number; used: boolean } | null = null;
  const cell = (): number => node.clientWidth / 6;

  const down = (e: PointerEvent): void => {
    if (!gestures || e.button !== 0) return;
    held = {
      id: e.pointerId,
      x: e.clientX,
      y: e.clientY,
      atX: e.clientX,
      atY: e.clientY,
      since: e.timeStamp,
      used: false,
    };
    node.setPointerCapture(e.pointerId);
  };
  const move = (e: PointerEvent): void => {
    if (!gestures || held?.id !== e.pointerId) return;
    const size = cell();
    for (; Math.abs(e.clientX - held.x) >= size * 0.8; held.used = true) {
      const side = Math.sign(e.clientX - held.x);
      gestures.move(side);
      held.x += side * size * 0.8;
    }
    // a flick differs from a drag by its speed, so the first rows wait
    for (; e.timeStamp - held.since > FLICK_MS && e.clientY - held.y >= size; held.used = true) {
      gestures.lower();
      held.y += size;
    }
  };
  const up = (e: PointerEvent): void => {
    if (!gestures || held?.id !== e.pointerId) return;
    const { atX, atY, since, used } = held;
    held = null;
    const [dx, dy, ms] = [e.clientX - atX, e.clientY - atY, e.timeStamp - since];
    if (dy > cell() * 1.5 && dy > 2 * Math.abs(dx) && ms <= FLICK_MS) gestures.drop();
    else if (!used && Math.hypot(dx, dy) < cell() * 0.4 && ms < TAP_MS) {
      const box = node.getBoundingClientRect();
      gestures.turn(e.clientX < box.left + box.width / 3 ? -1 : 1);
    }
  };
  const cancel = (): void => {
    held = null;
  };

  node.addEventListener("pointerdown", down);
  node.addEventListener("pointermove", move);
  node.addEventListener("pointerup", up);
  node.addEventListener("pointercancel", cancel);
  return {
    update: (next) => {
      gestures = next;
      if (!next) held = null;
    },
    destroy: () => {
      node.removeEventListener("pointerdown", down);
      node.removeEventListener("pointermove", move);
      node.removeEventListener("pointerup", up);
      node.removeEventListener("pointercancel", cancel);
    },
  };
}
