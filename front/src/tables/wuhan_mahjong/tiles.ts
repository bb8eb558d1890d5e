// Tiles by code: order and names.

import type { Lang } from "../contract";
import type { Code, Special, View } from "./types";
import { byTile, byTiles, messages, word } from "./words";

const SUITS = "mspz";
const PLACES: Special[] = ["laizi", "skin", "red"]; // in front of a hand

/** Where a kind stands among all kinds. */
export function kindOf(code: Code): number {
  return SUITS.indexOf(code[1]!) * 9 + Number(code[0]) - 1;
}

/** A tile in words. */
export const tileName = (code: Code, lang: Lang): string => messages.tell(byTile(code), lang);

export const tileNames = (codes: Code[], lang: Lang): string => word("table.list", lang, { tiles: byTiles(codes) });

/** Which special kind a tile is in this hand, or null. */
export const specialOf = (code: Code, view: Pick<View, "specials">): Special | null => view.specials[code] ?? null;

/** A hand as it stands: special tiles first, the drawn tile (if any) left out. */
export function arrange(hand: Code[], drawn: Code | null, view: Pick<View, "specials">): Code[] {
  const rest = [...hand];
  if (drawn !== null) {
    const at = rest.lastIndexOf(drawn);
    if (at >= 0) rest.splice(at, 1);
  }
  const place = (code: Code) => {
    const special = specialOf(code, view);
    return (special === null ? PLACES.length : PLACES.indexOf(special)) * 100 + kindOf(code);
  };
  return rest.sort((a, b) => place(a) - place(b));
}
