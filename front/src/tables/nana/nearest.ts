// The card that an arrow key goes to.

/** Something with a place on the screen. */
export interface Placed {
  getBoundingClientRect(): { left: number; top: number; width: number; height: number };
}

const middle = (card: Placed): [number, number] => {
  const box = card.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
};

/** The nearest card from `from` in a direction, preferring straight ahead; null if there is none. */
export function nearest<Card extends Placed>(cards: Card[], from: Card, [dx, dy]: [number, number]): Card | null {
  const [x, y] = middle(from);
  let found: Card | null = null;
  let least = Infinity;
  for (const card of cards) {
    const [a, b] = middle(card);
    const along = (a - x) * dx + (b - y) * dy;
    const across = Math.abs((a - x) * dy) + Math.abs((b - y) * dx);
    if (along < 4 || across > along * 3 + 24 || along + across * 2 >= least) continue;
    found = card;
    least = along + across * 2;
  }
  return found;
}
