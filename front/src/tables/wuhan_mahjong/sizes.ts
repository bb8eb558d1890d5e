// Widths of tiles, in px, from the size of the table.

export interface Sizes {
  /** Room for seats at the sides. */
  wide: boolean;
  /** A phone on its side: what is asked stands next to the plate of the viewer, and the middle is one block. */
  low: boolean;
  hand: number;
  meld: number;
  seat: number;
  /** At the sides, where a seat has a column to itself. */
  flank: number;
  button: number;
  /** Width of the columns at the sides. */
  side: number;
}

const within = (low: number, n: number, high: number) => Math.max(low, Math.min(high, n));

export function sizes(width: number, height: number): Sizes {
  const wide = width >= 620 && width > height * 0.9;
  const low = wide && height < 400;
  if (wide) {
    const hand = within(30, Math.min((width - 36) / 15.4, height * (low ? 0.11 : 0.085)), 60);
    const seat = within(15, width * 0.022, 28);
    const flank = Math.max(seat, within(15, Math.min(width * 0.028, height * 0.04), 34));
    return {
      wide,
      low,
      hand,
      meld: hand * 0.62,
      seat,
      flank,
      button: within(22, hand * 0.55, 30),
      side: flank * 4.3 + within(22, width * 0.026, 32) + 18,
    };
  }
  const line = width >= 620; // a hand in one line
  const hand = line
    ? within(34, (width - 36) / 15.4, 60)
    : within(34, Math.min((width - 30) / 7.5, height * 0.083), 54);
  const seat = within(12, (width / 3 - 12) / 7.2, 24);
  return { wide, low, hand, meld: within(14, width / 21, 32), seat, flank: seat, button: line ? 28 : 19, side: 0 };
}
