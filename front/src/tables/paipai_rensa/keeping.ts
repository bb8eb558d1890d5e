// The hand that an allocation would leave, from the melds that the view names.

import { numberOf, order, suitOf } from "./tiles";
import { HAND_MAX, type Alloc, type Code, type Shape } from "./types";

const isAlike = (a: Code, b: Code): boolean => suitOf(a) === suitOf(b) && (a === b || numberOf(a) === numberOf(b));

/** The tiles of a group taken out of `left`; null where one is missing. Equal tiles are interchangeable. */
function taken(group: Code[], left: Code[]): Code[] | null {
  const found: Code[] = [];
  for (const code of group) {
    const same = left.indexOf(code);
    const at = same < 0 ? left.findIndex((other) => isAlike(code, other)) : same;
    if (at < 0) {
      left.push(...found);
      return null;
    }
    found.push(...left.splice(at, 1));
  }
  return found;
}

/**
 * The kept tiles: the melds and the pair of the list that are kept whole, and the rest.
 * What the hand waits for is known when it is the suggested one.
 */
export function shapeOf({ tiles, groups, suggest, waits }: Alloc, keeps: boolean[]): Shape {
  const chosen = (mask: boolean[]): Code[] => tiles.filter((_, i) => mask[i]).sort(order);
  const left = chosen(keeps);
  const kept = left.length;
  const asSuggested = left.join() === chosen(suggest).join();
  const whole = groups
    .map((group) =>
      taken(
        group.map((i) => tiles[i]!),
        left,
      ),
    )
    .filter((group) => group !== null);
  const complete = kept === HAND_MAX && left.length === 0;
  return {
    melds: whole.filter((group) => group.length === 3),
    pair: whole.find((group) => group.length === 2) ?? null,
    rest: left.sort(order),
    complete,
    waits: !complete && asSuggested ? waits : [],
  };
}
