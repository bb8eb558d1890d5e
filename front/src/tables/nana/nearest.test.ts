import { expect, test } from "vitest";
import { nearest, type Placed } from "./nearest";

const at = (left: number, top: number): Placed => ({
  getBoundingClientRect: () => ({ left, top, width: 10, height: 14 }),
});
const HERE = at(100, 100);

test("an arrow goes to the next card that way", () => {
  const right = at(120, 100);
  const cards = [HERE, at(140, 100), right, at(80, 100), at(100, 130)];
  expect(nearest(cards, HERE, [1, 0])).toBe(right);
  expect(nearest(cards, HERE, [0, 1])).toBe(cards[4]);
  expect(nearest(cards, HERE, [-1, 0])).toBe(cards[3]);
});

test("a card straight ahead is nearer than one aside", () => {
  const ahead = at(130, 100);
  expect(nearest([at(120, 115), ahead], HERE, [1, 0])).toBe(ahead);
});

test("there may be none that way", () => {
  expect(nearest([HERE, at(80, 100), at(104, 400)], HERE, [1, 0])).toBe(null);
});
