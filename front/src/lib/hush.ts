// The tables whose chat this browser has muted, the last one first.
import { keep, kept } from "./keep";

const MOST = 50;
const all = (): string[] => (kept("hushed") ?? "").split(",").filter((id) => id !== "");

export const isHushed = (id: string): boolean => all().includes(id);

export function hush(id: string, on: boolean): void {
  const others = all().filter((one) => one !== id);
  keep("hushed", (on ? [id, ...others] : others).slice(0, MOST).join(","));
}
