// Events and chips in words: the game's sentence, else the fields of the event.
import type { GameEvent, Lang, TableModule } from "../tables/contract";
import type { Line, Reader } from "./message";
import type { State } from "./wire";

export interface Told {
  event: GameEvent;
  line: Line | null;
}

/** The events of a message with their lines. */
export const told = ({ events, lines }: Pick<State, "events" | "lines">): Told[] =>
  events.map((event, i) => ({ event, line: (lines[i] ?? null) as Line | null }));

export function eventLine(
  module: TableModule | null | undefined,
  { event, line }: Told,
  lang: Lang,
  reader: Reader,
): string {
  if (module === undefined) return ""; // still loading
  if (module) return line ? module.messages.tell(line, lang, reader) : "";
  return Object.entries(event)
    .map(([key, value]) => `${key}: ${typeof value === "object" ? JSON.stringify(value) : String(value)}`)
    .join(", ");
}

/** Returns chips with a sign (and a real minus). */
export const signed = (n: number): string => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0");
