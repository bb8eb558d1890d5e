// What the status line says: what is asked, why a thing cannot be chosen, how it ended.

import type { Lang } from "../contract";
import { actionOf, countOf, LEFT, nameOf, other } from "./board";
import type { CardId, Player, Point, View } from "./types";
import { cardName, colour, sideName, word } from "./words";

export interface Moment {
  view: View;
  seat: number;
  names: string[]; // with "you"
  legal: number[]; // nothing while a move is on its way
  frozen: boolean;
  lang: Lang;
}

/** Why a card can do nothing on this board, or null when it can. Only explains what `legal` has decided. */
function useless(card: CardId, player: Player, view: View): "noEmpty" | "noTheirs" | "noFive" | null {
  const empty = countOf(view.board.cells, 0);
  if (card === "Place") return empty ? null : "noEmpty";
  if (card === "Take") return countOf(view.board.cells, other(player)) ? null : "noTheirs";
  if (card === "SpontaneousGeneration") return empty >= 5 ? null : "noFive";
  return null;
}

export const whyUseless = (card: CardId, player: Player, view: View, lang: Lang): string | null => {
  const why = useless(card, player, view);
  return why && word(why, lang);
};

function askChoose({ view, legal, lang }: Moment): string {
  const drawn = view.turn.drawn ?? [];
  const whys = drawn.map((card) => whyUseless(card, view.currentPlayer, view, lang));
  if (whys.every((why) => why !== null)) {
    return word("askFizzle", lang, { why: [...new Set(whys)].join(lang === "en" ? "; " : "；") });
  }
  if (drawn.length < 2) return word("askOne", lang);
  const open = drawn.findIndex((_, slot) => legal.includes(LEFT + slot));
  const shut = drawn.findIndex((_, slot) => !legal.includes(LEFT + slot));
  if (shut < 0) return word("askChoose", lang);
  return word("askOnly", lang, { card: cardName(drawn[open]!, lang), why: whys[shut] ?? "" });
}

/** Whose turn it is and what is asked. */
export function asked(moment: Moment): string {
  const { view, names, legal, lang } = moment;
  if (view.winner !== null) return `${headline(moment)} ${reasons(moment).join(lang === "en" ? " " : "")}`;
  const player = view.currentPlayer;
  const card = view.turn.chosen ? cardName(view.turn.chosen, lang) : "";
  if (legal.length === 0) {
    const name = names[player - 1] ?? "";
    return word(view.turn.chosen ? "waitTarget" : "waitChoose", lang, { name, card }, name);
  }
  if (view.turn.chosen === null) return askChoose(moment);
  if (view.turn.chosen === "Place") return word("askPlace", lang, { card, colour: colour(player, lang) });
  if (view.turn.chosen === "Take") return word("askTake", lang, { card, colour: colour(other(player), lang) });
  return word("askFreeze", lang, { card, name: names[other(player) - 1] ?? "" });
}

/** Why nothing at all may be chosen now, or null. */
function shut({ view, legal, frozen, lang }: Moment): string | null {
  if (view.winner !== null) return word("whyOver", lang);
  if (frozen) return word("whySending", lang);
  return legal.length ? null : word("whyTurn", lang);
}

export function whyNotCard(slot: number, moment: Moment): string {
  const { view, lang } = moment;
  const card = view.turn.drawn?.[slot];
  const closed = shut(moment);
  if (closed || !card) return closed ?? word("whyTurn", lang);
  if (view.turn.chosen) return word("whyCardChosen", lang, { card: cardName(view.turn.chosen, lang) });
  return word("whyCard", lang, {
    card: cardName(card, lang),
    why: whyUseless(card, view.currentPlayer, view, lang) ?? "",
  });
}

export function whyNotCell({ x, y }: Point, moment: Moment): string {
  const { view, names, lang } = moment;
  const at = nameOf(x, y, view.board.size);
  const closed = shut(moment);
  if (closed) return closed;
  if (view.turn.chosen === null) return word("whyCardFirst", lang);
  if (view.turn.chosen === "TimeFreeze")
    return word("whyAim", lang, { name: names[other(view.currentPlayer) - 1] ?? "" });
  if (view.turn.chosen === "Place") return word("whyTaken", lang, { at });
  return word(view.board.cells[y]![x] === 0 ? "whyNothing" : "whyOwn", lang, { at });
}

/** What choosing this point would do; only for a legal one. */
export function whatAt({ x, y }: Point, { view, lang }: Moment): string {
  const at = nameOf(x, y, view.board.size);
  if (view.turn.chosen === "Place") return word("placeAt", lang, { at });
  return word("takeAt", lang, { at, colour: colour(other(view.currentPlayer), lang) });
}

export const isLegalCell = (point: Point, { view, legal }: Moment): boolean =>
  legal.includes(actionOf(point.x, point.y, view.board.size));

/** Who has won. */
export function headline({ view, seat, names, lang }: Moment): string {
  if (view.winner === null || view.winner === "draw") return word("draw", lang) + (lang === "en" ? "." : "。");
  if (seat === view.winner - 1) return word("youWin", lang);
  const stop = lang === "en" ? "." : "。";
  if (seat >= 0) return word("youLose", lang) + stop;
  return word("wins", lang, { name: names[view.winner - 1] ?? "" }) + stop;
}

/** Why it ended so, a sentence each. */
export function reasons({ view, names, lang }: Moment): string[] {
  const { winner, reason, winningLines: lines, board, settings } = view;
  const mover = other(view.currentPlayer); // the turn has passed on already
  const end = ({ x, y }: Point) => nameOf(x, y, board.size);
  const told = lines.map(({ player, length, line }) =>
    word("whyFive", lang, {
      colour: colour(player, lang),
      side: sideName(player, lang),
      n: length,
      from: end(line[0]!),
      to: end(line.at(-1)!),
    }),
  );
  if (reason === "turnLimit") return [word("whyLimit", lang, { n: settings.maxTurns ?? view.turn.number })];
  if (reason === "noCards") return [word("whyNoCards", lang)];
  if (reason === "simultaneousFive") {
    const name = names[mover - 1] ?? "";
    return [
      ...told,
      word(
        winner === "draw" ? "whyBothDraw" : "whyBoth",
        lang,
        { name: lang === "en" ? name.replace(/^You$/, "you") : name },
        name,
      ),
    ];
  }
  return winner === mover ? told : [...told, word("whyOwner", lang)];
}
