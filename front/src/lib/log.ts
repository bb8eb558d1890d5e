// Events and chips in words: the game's own when it has them, else its bare fields.
import type { GameEvent, Lang, TableModule } from "../tables/contract";

export function eventLine(
  module: TableModule | null | undefined,
  event: GameEvent,
  lang: Lang,
  names: string[],
): string {
  if (module === undefined) return ""; // still loading
  if (module) return module.tell(event, lang, names);
  return Object.entries(event)
    .map(([key, value]) => `${key}: ${typeof value === "object" ? JSON.stringify(value) : String(value)}`)
    .join(", ");
}

/** Chips, with a sign and a true minus. */
export const signed = (n: number): string => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0");
