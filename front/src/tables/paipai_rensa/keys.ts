// Which key does what to the falling pair.

export type Command = "left" | "right" | "turn" | "back" | "lower" | "drop" | "pause";

const KEYS: Record<string, Command> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "turn",
  z: "turn",
  x: "back",
  ArrowDown: "lower",
  " ": "drop",
  Enter: "drop",
  p: "pause",
};
const HELD = ["ArrowLeft", "ArrowRight", "ArrowDown", "ArrowUp", " "];

/** What a key does; at leisure nothing falls, so down drops the pair and there is nothing to pause. */
export function commandOf(key: string, leisure: boolean): Command | null {
  const command = KEYS[key] ?? null;
  if (!leisure) return command;
  return command === "lower" ? "drop" : command === "pause" ? null : command;
}

/** Whether a repeating key moves the pair, so that the page must not scroll. */
export const isHeld = (key: string): boolean => HELD.includes(key);
