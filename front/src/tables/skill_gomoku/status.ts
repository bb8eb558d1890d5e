// What the status line says: what is asked, why a thing cannot be chosen, how it ended.

import type { Line, Reader } from "../../lib/message";
import type { Lang } from "../contract";
import { actionOf, LEFT, nameOf, other } from "./board";
import type { CardId, Player, Point, View } from "./types";
import { card, colour, type Key, say, seatOf, side } from "./words";

export interface Moment {
  view: View;
  seat: number;
  names: string[];
  legal: number[]; // nothing while a move is on its way
  frozen: boolean;
  lang: Lang;
}

/** Who reads: the viewer's own seat is "you". */
export const readerOf = ({ names, seat }: Moment): Reader => ({ names, viewer: seat });

/** What stands on a player's plate. */
export const titleOf = (player: Player, { names, seat, lang }: Moment): string =>
  seat === player - 1 ? say("table.you", lang) : (names[player - 1] ?? "");

/** Why a card would have no effect on this board, or null. */
function useless(id: CardId, view: View): Line | null {
  return view.unplayable.includes(id) ? [`refuse.card.${id}`, {}] : null;
}

export const whyUseless = (id: CardId, view: View, lang: Lang): string | null => {
  const why = useless(id, view);
  return why && say(why[0] as Key, lang);
};

function askChoose({ view, legal, lang }: Moment): string {
  const drawn = view.turn.drawn ?? [];
  const whys = drawn.map((id) => useless(id, view));
  if (whys.every((why) => why !== null)) {
    const kinds = [...new Map(whys.map((why) => [why[0], why])).values()];
    return say("ask.fizzle", lang, { n: drawn.length, why: { list: kinds } });
  }
  if (drawn.length < 2) return say("ask.choose_single", lang);
  const open = drawn.findIndex((_, slot) => legal.includes(LEFT + slot));
  const shut = drawn.findIndex((_, slot) => !legal.includes(LEFT + slot));
  if (shut < 0) return say("ask.choose", lang);
  return say("ask.choose_only", lang, { card: card(drawn[open]!), why: whys[shut] ?? "" });
}

/** Whose turn it is and what is asked. */
export function asked(moment: Moment): string {
  const { view, legal, lang } = moment;
  if (view.winner !== null) return [headline(moment), ...reasons(moment)].join(lang === "en" ? " " : "");
  const player = view.currentPlayer;
  const chosen = view.turn.chosen;
  const reader = readerOf(moment);
  if (legal.length === 0) {
    const by = seatOf(player);
    if (chosen === null) return say("ask.wait_choose", lang, { by }, reader);
    return say("ask.wait_target", lang, { by, card: card(chosen) }, reader);
  }
  if (chosen === null) return askChoose(moment);
  if (chosen === "Place") return say("ask.place", lang, { card: card(chosen), colour: colour(player) });
  if (chosen === "Take") return say("ask.take", lang, { card: card(chosen), colour: colour(other(player)) });
  return say("ask.freeze", lang, { card: card(chosen), who: seatOf(other(player)) }, reader);
}

/** The action that is made without asking: the only target of a card, or one of two equal cards. */
export function onlyChoice(view: View, legal: number[]): number | null {
  if (view.winner !== null || legal.length === 0) return null;
  if (view.turn.chosen !== null) return legal.length === 1 ? legal[0]! : null;
  const [one, other, ...more] = view.turn.drawn ?? [];
  return one !== undefined && one === other && more.length === 0 && legal.includes(LEFT) ? LEFT : null;
}

/** Why nothing at all may be chosen now, or null. */
function shut({ view, legal, frozen, lang }: Moment): string | null {
  if (view.winner !== null) return say("refuse.over", lang);
  if (frozen) return say("refuse.sending", lang);
  return legal.length ? null : say("refuse.turn", lang);
}

export function whyNotCard(slot: number, moment: Moment): string {
  const { view, lang } = moment;
  const id = view.turn.drawn?.[slot];
  const closed = shut(moment);
  if (closed || !id) return closed ?? say("refuse.turn", lang);
  if (view.turn.chosen) return say("refuse.chosen", lang, { card: card(view.turn.chosen) });
  const why = useless(id, view);
  return why ? say("refuse.card", lang, { card: card(id), why }) : say("refuse.dealing", lang);
}

export function whyNotCell({ x, y }: Point, moment: Moment): string {
  const { view, lang } = moment;
  const chosen = view.turn.chosen;
  const at = nameOf(x, y, view.board.size);
  const closed = shut(moment);
  if (closed) return closed;
  if (chosen === null) return say("refuse.card_first", lang);
  if (chosen === "TimeFreeze") {
    const who = seatOf(other(view.currentPlayer));
    return say("refuse.freeze", lang, { card: card(chosen), who }, readerOf(moment));
  }
  if (chosen === "Place") return say("refuse.occupied", lang, { at });
  return say(view.board.cells[y]![x] === 0 ? "refuse.no_stone" : "refuse.own_stone", lang, { at });
}

/** What choosing this point would do; only for a legal one. */
export function whatAt({ x, y }: Point, { view, lang }: Moment): string {
  const at = nameOf(x, y, view.board.size);
  if (view.turn.chosen === "Place") return say("table.place_at", lang, { at });
  return say("table.take_at", lang, { at, colour: colour(other(view.currentPlayer)) });
}

export const isLegalCell = (point: Point, { view, legal }: Moment): boolean =>
  legal.includes(actionOf(point.x, point.y, view.board.size));

/** Who has won. */
export function headline(moment: Moment): string {
  const { view, seat, lang } = moment;
  if (view.winner === null || view.winner === "draw") return say("table.draw", lang);
  if (seat >= 0 && seat !== view.winner - 1) return say("table.lost", lang);
  return say("table.won", lang, { by: seatOf(view.winner) }, readerOf(moment));
}

/** Why it ended so, one sentence each. */
export function reasons(moment: Moment): string[] {
  const { view, lang } = moment;
  const { winner, reason, winningLines, board, settings, mover } = view;
  if (reason === "turnLimit") return [say("table.why.limit", lang, { n: settings.maxTurns ?? view.turn.number })];
  if (reason === "noCards") return [say("table.why.no_cards", lang)];
  const end = ({ x, y }: Point) => nameOf(x, y, board.size);
  const fives = winningLines.map(({ player, length, line }) =>
    say("draw.five", lang, { side: side(player), n: length, from: end(line[0]!), to: end(line.at(-1)!) }),
  );
  if (reason === "simultaneousFive") {
    const why =
      winner === "draw"
        ? say("table.why.both_draw", lang)
        : say("table.why.both", lang, { by: seatOf(mover) }, readerOf(moment));
    return [...fives, why];
  }
  return winner === mover ? fives : [...fives, say("table.why.owner", lang)];
}
