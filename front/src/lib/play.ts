// Opening tables: a quick game against bots, or a table from a form.
import * as api from "./api";
import { refusal } from "./i18n";
import type { AgentInfo, GameInfo, NewTable } from "./wire";
import { go } from "./router";
import { note } from "./state.svelte";

const QUICK_SEATS = 3; // if the game allows several

/** The level for newcomers: the lowest above random play. */
export function usualAgent(game: GameInfo): AgentInfo | undefined {
  const sorted = [...game.agents].sort((a, b) => a.level - b.level);
  return sorted.find((agent) => agent.level > 0) ?? sorted[0];
}

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

export function quick(game: GameInfo): Promise<boolean> {
  const agent = usualAgent(game);
  const seats = usualSeats(game);
  return open({ game: game.name, seats, bots: agent ? Array<string>(seats - 1).fill(agent.name) : [], private: true });
}
