// The status line: whose turn it is, what is asked of the viewer, and why a tile cannot be played.

import type { Lang } from "../contract";
import { CHOW, kindOf, specialOf, tileName, tileNames, WIN } from "./tiles";
import type { Code, View } from "./types";
import { word } from "./words";
import { headline } from "./tell";

interface Moment {
  view: View;
  legal: number[];
  frozen: boolean;
  over: boolean;
  names: string[];
  lang: Lang;
}

/** What is going on, and what the viewer may do about it. */
export function status({ view, legal, over, names, lang }: Moment): string {
  if (over) return view.result ? headline(view.result, lang, names) : word("is_over", lang);
  if (legal.length > 0) {
    if (view.claimed) {
      const rob = view.phase === "WAIT_ROB_KONG" || view.phase === "GONG"; // GONG: asked beside another seat
      const key = rob ? "asked_rob" : "asked";
      return word(key, lang, { who: names[view.claimed.seat]!, tile: tileName(view.claimed.tile, lang) });
    }
    if (legal.includes(WIN)) return word("your_win", lang);
    if (view.phase === "MELD_DECISION") return word("your_meld", lang);
    return word(legal.some((a) => a >= CHOW) ? "your_discard_kong" : "your_discard", lang);
  }
  if (view.answer !== null && view.answer !== undefined) return word("answered", lang);
  const last = view.history.at(-1);
  const told =
    last?.type === "DISCARD" && last.tile
      ? word("discarded", lang, { who: names[last.seat]!, tile: tileName(last.tile, lang) })
      : "";
  if (view.decider === null || (view.phase === "DISCARDING" && told)) return told;
  const waiting = word("thinking", lang, { who: names[view.decider]! });
  return told ? `${told}${lang === "en" ? ". " : "。"}${waiting}` : waiting;
}

/** Why a tile of the hand cannot be discarded now; null when it can. */
export function whyNot(code: Code, { view, legal, frozen, over, lang }: Moment): string | null {
  if (over) return word("why_over", lang);
  if (frozen) return word("why_frozen", lang);
  const special = specialOf(code, view);
  if (special !== null) return word(`why_${special}`, lang);
  if (legal.length === 0) return word("why_turn", lang);
  if (view.claimed && !legal.some((a) => a < CHOW))
    return word("why_asked", lang, { tile: tileName(view.claimed.tile, lang) });
  return legal.includes(kindOf(code)) ? null : word("why_turn", lang);
}

/** What a discard would do. */
export function whatIf(code: Code, view: View, lang: Lang): string {
  const waits = view.ready_discards?.[code];
  const tile = tileName(code, lang);
  return waits
    ? word("discard_ready", lang, { tile, waits: tileNames(waits, lang) })
    : word("discard_tile", lang, { tile });
}
