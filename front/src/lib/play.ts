// Opening tables: a quick game against bots, or a table from a form.
import * as api from "./api";
import { refusal } from "./i18n";
import type { AgentInfo, GameInfo, NewTable } from "./wire";
import { go } from "./router";
import { note } from "./state.svelte";

const QUICK_SEATS = 3; // if the game allows several

/** The bot for newcomers: the first level, or in a game without levels the first that it lists. */
export const usualAgent = (game: GameInfo): AgentInfo | undefined =>
  game.agents.find((agent) => agent.level === 1) ??
  game.agents.find((agent) => agent.name !== "random") ??
  game.agents[0];

export const usualSeats = (game: GameInfo): number => Math.min(Math.max(QUICK_SEATS, game.seats[0]), game.seats[1]);

/** Opens the table and goes there; on a refusal, shows it and returns false. */
export async function open(table: NewTable): Promise<boolean> {
  try {
    const opened = await api.openTable(table);
    go(`/table/${opened.table}`);
    return true;
  } catch (error) {
    note(refusal(error instanceof api.Refusal ? error.code : ""), "bad");
    return false;
  }
}

/** A private table with the usual bots, with these options or the defaults. */
export function quick(game: GameInfo, options: NewTable["options"] = {}): Promise<boolean> {
  const agent = usualAgent(game);
  const seats = usualSeats(game);
  const bots = agent ? Array<string>(seats - 1).fill(agent.name) : [];
  return open({ game: game.name, seats, bots, private: true, options });
}
