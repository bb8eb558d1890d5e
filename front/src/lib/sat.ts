// The tables where this browser took a seat, newest first: the lobby asks which of them are unfinished.
import { keep, kept } from "./keep";

const MOST = 12;

export const sat = (): string[] => (kept("tables") ?? "").split(",").filter((id) => /^[a-z0-9]{10}$/.test(id));

export function rememberTable(id: string): void {
  keep("tables", [id, ...sat().filter((one) => one !== id)].slice(0, MOST).join(","));
}
