// The positions of cards in a fan and in the centre, in pixels.

export const TALL = 1.45; // height of a card of width 1

export interface Pose {
  x: number;
  y: number;
  turn: number;
  z: number;
}

interface Room {
  width: number;
  height: number;
}

/** The card width for a hand that was dealt `dealt` cards; it stays as cards leave. */
export function fanWidth(room: Room, dealt: number, most: number): number {
  const byHeight = (room.height - 10) / (TALL * 1.2);
  const byWidth = (room.width - 12) / (1 + 0.5 * Math.max(1, dealt - 1));
  return Math.max(22, Math.min(most, byHeight, Math.max(byWidth, Math.min(byHeight, room.width / 4.5))));
}

/** Cards in an arc, `up` where one is face up. `across`: held by someone over the table; `ends`: both ends lie on top. */
export function poses(room: Room, w: number, up: boolean[], across: boolean, ends: boolean): Pose[] {
  const n = up.length;
  const span = room.width - w - 18;
  const head = up.indexOf(false);
  // The desired width of each gap, in card widths: room next to face-up cards and for the lowest hidden one.
  const wants = up.map((is, i): number => (i === 0 ? 0 : !ends && i === head + 1 ? 0.9 : is || up[i - 1] ? 0.66 : 0));
  const fixed = wants.reduce((sum, want) => sum + want * w, 0);
  const free = n - 1 - wants.filter(Boolean).length; // gaps that take what is left
  const shrink = Math.min(1, (span - 8 * free) / Math.max(1, fixed));
  const rest = free > 0 ? Math.min(w * 0.84, (span - fixed * shrink) / free) : 0;
  const middle = (n - 1) / 2;
  const spread = Math.min(4, 20 / Math.max(1, n)); // degrees between neighbours
  const sag = n < 3 ? 0 : (w * TALL * 0.1) / (middle * middle);
  const air = room.height - w * TALL * 1.1;
  const top = across ? Math.min(air / 2, 14) : air / 2;
  const xs = up.reduce<number[]>(
    (at, _, i) => [...at, i === 0 ? 0 : at[i - 1]! + (wants[i] ? wants[i]! * w * shrink : rest)],
    [],
  );
  const left = (room.width - w - (xs.at(-1) ?? 0)) / 2;
  return up.map((is, i) => {
    const off = i - middle;
    const drop = sag * off * off;
    return {
      x: left + xs[i]!,
      y: top + (across ? w * TALL * 0.1 - drop : drop),
      turn: (across ? -1 : 1) * off * spread,
      z: !ends ? i : is ? Math.round(middle - Math.abs(off)) : n + Math.round(Math.abs(off) * 2),
    };
  });
}

/** Columns and card width that fill a room best with `n` cards. */
export function gridOf(room: Room, n: number, most: number): { columns: number; w: number } {
  let best = { columns: n, w: 0 };
  for (let columns = Math.ceil(n / 3); columns <= n; columns++) {
    const rows = Math.ceil(n / columns);
    if (columns * (rows - 1) >= n || columns > 6) continue;
    const w = Math.min(most, (room.width - 12) / columns - 10, ((room.height - 8) / rows - 12) / TALL);
    if (w > best.w + 1) best = { columns, w };
  }
  return { columns: best.columns, w: Math.max(22, best.w) };
}
