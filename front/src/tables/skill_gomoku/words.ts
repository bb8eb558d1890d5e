// The sentences of skill gomoku, from the message files that Python reads too, in every language.

import en from "@qipai/games/skill_gomoku/messages/en.json";
import ja from "@qipai/games/skill_gomoku/messages/ja.json";
import zh from "@qipai/games/skill_gomoku/messages/zh.json";
import type { Line } from "../../lib/message";
import { sentences } from "../../lib/sentences";
import type { Lang, TableModule, Words } from "../contract";
import type { CardId, Player } from "./types";

export type Key = keyof typeof en;
export const { messages, say } = sentences<Key>({ en, zh, ja });

const everywhere = (key: Key): Words => ({ en: en[key], zh: zh[key], ja: ja[key] });

export const PITCH = everywhere("pitch");
export const LOG = everywhere("table.log");

export const KEYS: TableModule["keys"] = [
  { key: "1 2", does: everywhere("key.cards") },
  { key: "← → ↑ ↓", does: everywhere("key.arrows") },
  { key: "Enter", does: everywhere("key.enter") },
  { key: "a1 …", does: everywhere("key.point") },
  { key: "Esc", does: everywhere("key.escape") },
  { key: "U", does: everywhere("key.unseen") },
];

const COLOUR = { 1: "black", 2: "white" } as const;

export const cardName = (card: CardId, lang: Lang): string => say(`card.${card}`, lang);
export const cardAbout = (card: CardId, lang: Lang): string => say(`card.${card}.about`, lang);
export const sideName = (player: Player, lang: Lang): string => say(`side.${COLOUR[player]}`, lang);

/** Values of a sentence: a card, the colour of a player's stones, a player's side, a player. */
export const card = (id: CardId): Line => [`card.${id}`, {}];
export const colour = (player: Player): Line => [`colour.${COLOUR[player]}`, {}];
export const side = (player: Player): Line => [`side.${COLOUR[player]}`, {}];
export const seatOf = (player: Player): { seat: number } => ({ seat: player - 1 });

/** Several phrases in a row. */
export const enumerate = (items: string[], lang: Lang): string => items.join(messages.find("list.gap", lang));
