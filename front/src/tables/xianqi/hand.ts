// What each piece of the viewer's hand does when it is chosen, and the ribbons for pairs and triples under them.

import { DOG_PAIR, PLAYS, TYPES, UNDER, isGou, isPlay, listed, playOf, type Type } from "./pieces";
import type { Cards, View } from "./types";

export interface Slot {
  key: string; // type and copy, so that a piece keeps its element while others leave
  type: Type;
  copy: number; // 0 for the first piece of its type
  action: number | null; // the whole move that choosing it makes
  pick: number | null; // the part of a cover that choosing it adds
}

/** A pair or triple of neighbouring pieces: columns `from` to `to`, both included. */
export interface Ribbon {
  from: number;
  to: number;
  actions: number[];
}

export function slotsOf(hand: Cards, view: View, legal: number[]): Slot[] {
  const open = new Set(legal);
  const covering = legal.some((action) => action >= UNDER);
  const seen = new Map<Type, number>();
  return listed(hand).map((type) => {
    const copy = seen.get(type) ?? 0;
    seen.set(type, copy + 1);
    const slot: Slot = { key: `${type}${copy}`, type, copy, action: null, pick: null };
    if (covering) {
      const under = UNDER + TYPES.indexOf(type);
      if (view.kind > 1) slot.pick = under;
      else if (open.has(under)) slot.action = under;
      return slot;
    }
    const play = view.kind > 1 ? groupPlay(type, view.kind, open) : playOf(type, 1);
    if (open.has(play)) slot.action = play;
    return slot;
  });
}

function groupPlay(type: Type, kind: number, open: Set<number>): number {
  return kind === 2 && isGou(type) && open.has(DOG_PAIR) ? DOG_PAIR : playOf(type, kind);
}

export function ribbonsOf(slots: Slot[], legal: number[]): Ribbon[] {
  const ribbons = new Map<string, Ribbon>();
  for (const action of legal) {
    const cards = isPlay(action) ? PLAYS[action]! : {};
    if (listed(cards).length < 2) continue;
    const places = slots.flatMap((slot, i) => (cards[slot.type] ? [i] : []));
    const from = places[0] ?? 0;
    const to = places[places.length - 1] ?? 0;
    const ribbon = ribbons.get(`${from}`) ?? { from, to, actions: [] };
    ribbon.actions.push(action);
    ribbons.set(`${from}`, ribbon);
  }
  return [...ribbons.values()];
}

/** The slots that a hint points at: of each hinted cover card as many as it names. */
export function hinted(slots: Slot[], hint: number[]): Set<string> {
  const keys = new Set<string>();
  for (const slot of slots) {
    if (slot.action !== null && hint.includes(slot.action)) keys.add(slot.key);
    if (slot.pick !== null && slot.copy < hint.filter((action) => action === slot.pick).length) keys.add(slot.key);
  }
  return keys;
}
