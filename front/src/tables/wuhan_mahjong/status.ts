// The status line: whose turn it is, what is asked of the viewer, and why a tile cannot be played.

import type { Reader } from "../../lib/message";
import type { Lang } from "../contract";
import { specialOf } from "./tiles";
import type { Code, View } from "./types";
import { bySeat, byTile, byTiles, messages, word } from "./words";

export interface Moment {
  view: View;
  legal: number[];
  frozen: boolean;
  over: boolean;
  reader: Reader;
  lang: Lang;
}

/** What is going on, and what the viewer may do about it. */
export function status({ view, legal, over, reader, lang }: Moment): string {
  if (over) return view.result ? messages.tell(view.result.headline, lang, reader) : word("table.over", lang);
  if (legal.length > 0) return question(view, legal, lang, reader);
  if (view.answer !== null && view.answer !== undefined) return word("table.answered", lang);
  const last = view.history.at(-1);
  const told =
    last?.type === "DISCARD" && last.tile
      ? word("table.discarded", lang, { who: bySeat(last.seat), tile: byTile(last.tile) }, reader)
      : "";
  if (view.decider === null || (view.phase === "DISCARDING" && told)) return told;
  const waiting = word("table.thinking", lang, { who: bySeat(view.decider) }, reader);
  return told ? word("table.both", lang, { one: told, other: waiting }) : waiting;
}

function question(view: View, legal: number[], lang: Lang, reader: Reader): string {
  if (view.claimed) {
    const rob = view.phase === "WAIT_ROB_KONG";
    const values = { from: bySeat(view.claimed.seat), tile: byTile(view.claimed.tile) };
    return word(rob ? "ask.rob" : "ask.claim", lang, values, reader);
  }
  const kinds = new Set((view.moves ?? []).filter((move) => legal.includes(move.action)).map((move) => move.kind));
  if (kinds.has("win")) return word("ask.win", lang);
  if (view.phase === "MELD_DECISION") return word("ask.meld", lang);
  return word([...kinds].some((kind) => kind !== "discard") ? "ask.discard_or_kong" : "ask.discard", lang);
}

/** The discard of a tile, if it is legal for the viewer. */
export const discardOf = (code: Code, view: View, legal: number[]): number | undefined =>
  view.moves?.find((move) => move.kind === "discard" && move.tiles[0] === code && legal.includes(move.action))?.action;

/** Why a tile of the hand cannot be discarded now; null when it can. */
export function whyNot(code: Code, { view, legal, frozen, over, lang }: Moment): string | null {
  if (over) return word("refuse.over", lang);
  if (frozen) return word("refuse.frozen", lang);
  const special = specialOf(code, view);
  if (special !== null) return word(`refuse.special.${special}`, lang);
  if (discardOf(code, view, legal) !== undefined) return null;
  if (view.claimed && legal.length > 0) return word("refuse.asked", lang, { tile: byTile(view.claimed.tile) });
  return word("refuse.turn", lang);
}

/** What a discard would do. */
export function whatIf(code: Code, view: View, lang: Lang): string {
  const waits = view.ready_discards?.[code];
  const tile = byTile(code);
  return waits
    ? word("table.discard_ready", lang, { tile, tiles: byTiles(waits) })
    : word("table.discard", lang, { tile });
}
