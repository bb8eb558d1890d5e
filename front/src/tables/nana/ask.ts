// The status line: whose turn it is and what is looked for; why a card cannot be turned up; a card by name.

import type { Lang } from "../contract";
import { isCentre, placeOf, seatOf } from "./cards";
import type { Frame } from "./motion";
import { headline, reason } from "./tell";
import type { Slot, View } from "./types";
import { whose, word } from "./words";

export interface Moment {
  view: View;
  frame: Frame | null;
  live: boolean;
  frozen: boolean;
  over: boolean;
  seat: number;
  /** With "you". */
  names: string[];
  lang: Lang;
}

/** What is going on, and what the viewer may do about it. */
export function asked({ view, frame, live, seat, names, lang }: Moment): string {
  const chain = frame?.chain ?? view.face_up;
  const first = chain[0]?.number;
  const by = frame?.by ?? view.current;
  const name = names[by] ?? "";
  const newest = chain.at(-1)?.number;
  if (newest !== first) return word("failing", lang, { n: newest!, first: first! });
  if (frame?.mood === "bad") return word("missed", lang);
  if (first !== undefined && chain.length === 3) return word("taking", lang, { n: first, name }, name);
  if (view.phase === "game-over" && frame === null)
    return `${headline(view, lang, names)}${lang === "en" ? " " : ""}${reason(view, lang)}`;
  const mine = by === seat && (live || frame !== null);
  if (first !== undefined) {
    const left = 3 - chain.length;
    return mine
      ? word(left === 1 ? "look1" : "look2", lang, { n: first })
      : word(left === 1 ? "their1" : "their2", lang, { n: first, name }, name);
  }
  const won = view.last?.by === by && by === view.current ? view.removed[view.last.slots[0] ?? ""] : undefined;
  if (mine) return won !== undefined ? word("askAgain", lang, { n: won }) : word("askFirst", lang);
  const missed =
    view.last !== null && view.last.by !== view.current && view.last.slots.every((slot) => !(slot in view.removed));
  return `${missed ? `${word("missed", lang)}${lang === "en" ? " " : ""}` : ""}${word("theirTurn", lang, { name }, name)}`;
}

/** Why a card cannot be turned up now; null when it can. */
export function whyNot(
  slot: Slot,
  can: boolean,
  { view, live, frozen, over, seat, names, lang }: Moment,
): string | null {
  if (over || view.phase === "game-over") return word("whyOver", lang);
  if (can) return null;
  if (view.face_up.some((link) => link.slot === slot)) return word("whyUp", lang);
  if (seat < 0) return word("whyWatch", lang);
  if (!live)
    return frozen && view.current === seat
      ? word("whyWait", lang)
      : word("whyTurn", lang, { name: names[view.current] ?? "" });
  return word("whyMiddle", lang);
}

export interface Sight {
  /** What the viewer sees on it. */
  number: number | null;
  up: boolean;
  /** Everyone has seen it (told only with the memory aid). */
  seen: number | null;
  last: boolean;
}

/** A card for those who listen: whose, which, and what is to be seen of it. */
export function cardName(
  slot: Slot,
  end: "low" | "high" | "only" | null,
  sight: Sight,
  names: string[],
  lang: Lang,
): string {
  const n = placeOf(slot) + 1;
  const owner = isCentre(slot) ? "" : whose(names[seatOf(slot)] ?? "", lang);
  const key = end === "low" ? "cardLow" : end === "high" ? "cardHigh" : end === "only" ? "cardOnly" : "cardMiddle";
  const name = isCentre(slot) ? word("cardCentre", lang, { n }) : word(key, lang, { whose: owner, n });
  const parts = [name];
  if (sight.up) parts.push(word("isUp", lang, { n: sight.number! }));
  else if (sight.number !== null) parts.push(word("isOwn", lang, { n: sight.number }));
  else parts.push(word("isDown", lang));
  if (!sight.up && sight.seen !== null)
    parts.push(sight.number === null ? word("isSeen", lang, { n: sight.seen }) : word("seenByAll", lang));
  if (sight.last && !sight.up) parts.push(word("isLast", lang));
  return parts.join({ zh: "，", en: ", ", ja: "、" }[lang]);
}
