// The clocks of a table: one for each person with a time limit, for plates and the list of seats.
import type { SeatClock } from "../tables/contract";
import type { State, TableInfo } from "./wire";

/** What is known about running clocks: when they end, by performance.now(). */
export interface Ends {
  own: number | null;
  turn: number | null;
}

/** Returns the clock of each seat. Whose time runs in a window of claims is secret, except the viewer's own. */
export function clocksOf(info: TableInfo, state: State | null, you: number, ends: Ends): (SeatClock | null)[] {
  return info.seats.map(({ seat, kind, away }) => {
    if (kind !== "person" || away || !state || state.over) return null;
    if (seat === you && state.clock && ends.own !== null) return { total: state.clock.total, deadline: ends.own };
    if (seat === state.turn && state.turn_clock && ends.turn !== null)
      return { total: state.turn_clock.total, deadline: ends.turn };
    return info.clock > 0 ? { total: info.clock * 1000, deadline: null } : null;
  });
}

/** Returns a time as players read it: 45, or 1:30 from one minute on. */
export function readable(ms: number): string {
  const seconds = Math.ceil(Math.max(0, ms) / 1000);
  return seconds < 60 ? String(seconds) : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
