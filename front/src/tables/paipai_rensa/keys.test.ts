import { expect, test } from "vitest";
import { commandOf, isHeld } from "./keys";

test("arrows move, turn and lower the pair", () => {
  const keys = ["ArrowLeft", "ArrowRight", "ArrowUp", "z", "x", "ArrowDown", " ", "Enter", "p", "q"];
  const commands = ["left", "right", "turn", "turn", "back", "lower", "drop", "drop", "pause", null];
  expect(keys.map((key) => commandOf(key, false))).toEqual(commands);
});

test("at leisure down drops the pair, and nothing is paused", () => {
  expect(commandOf("ArrowDown", true)).toBe("drop");
  expect(commandOf("p", true)).toBe(null);
  expect(commandOf("ArrowLeft", true)).toBe("left");
});

test("only keys that scroll a page are held", () => {
  expect(["ArrowDown", " ", "z", "Enter"].map(isHeld)).toEqual([true, true, false, false]);
});
