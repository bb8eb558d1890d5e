import { describe, expect, test } from "vitest";
import plays from "../../../../tests/front/fifty_pairs.json";
import { answerTo, stops } from "./flow";
import type { Alloc, Side } from "./types";

type Asked = (typeof plays)[number][number];
const allocOf = ({ tiles, groups, suggest }: Asked): Alloc => ({
  tiles,
  groups,
  suggest,
  waits: [],
  assign: [],
  cursor: 0,
  kept: 0,
});
const side = (won: boolean): Side => ({ won });
const sidesOf = ({ won }: Asked) => ({ player: side(won.player), cpu: side(won.cpu) });

const questions = (play: Asked[], single: boolean): number =>
  play.filter((asked) => answerTo(allocOf(asked), single) === null).length;
const dialogs = (play: Asked[]): number => play.filter((asked) => stops(sidesOf(asked))).length;

const OLD = 27; // dialogs and questions in 50 pairs, when every list was asked about and every HOLD waited

describe.each(plays.map((play, i) => [i, play] as const))("50 pairs, play %i", (_, play) => {
  test("interrupt at most a third as often as they did", () => {
    const met = questions(play, true) + dialogs(play);
    expect(met).toBeLessThanOrEqual(OLD / 3);
    expect(met).toBeLessThanOrEqual((2 * play.length) / 3); // and of the same play in the old flow
  });

  test("interrupt more often without the choice that lets single tiles go", () => {
    expect(questions(play, false) + dialogs(play)).toBeGreaterThan(OLD / 3);
  });

  test("are answered as suggested, or with everything kept", () => {
    for (const asked of play) {
      const answer = answerTo(allocOf(asked), true);
      if (answer === null) continue;
      expect(answer.filter(Boolean).length).toBeLessThanOrEqual(14);
      expect(answer).toEqual(asked.suggest);
    }
  });
});

const list = (codes: string, groups: number[][], ...drop: number[]): Alloc => {
  const tiles = codes.split(" ");
  const suggest = tiles.map((_, i) => !drop.includes(i));
  return { tiles, groups, suggest, waits: [], assign: [], cursor: 0, kept: 0 };
};
const MELDS = "m1 m2 m3 p1 p1 p1 s7 s8 s9 zE zE zE";
const GROUPS = [
  [0, 1, 2],
  [3, 4, 5],
  [6, 7, 8],
  [9, 10, 11],
];

test("a hand with room keeps everything, whatever is chosen", () => {
  const roomy = list(`${MELDS} p5 zN`, GROUPS, 13);
  expect(answerTo(roomy, false)).toEqual(Array(14).fill(true));
});

test("single tiles go; a pair, a red five and a tile of a meld are asked about", () => {
  expect(answerTo(list(`${MELDS} p5 s3 zN`, GROUPS, 14), true)?.indexOf(false)).toBe(14);
  expect(answerTo(list(`${MELDS} p5 s3 zN`, GROUPS, 14), false)).toBeNull();
  expect(answerTo(list(`${MELDS} p5 s3 s3`, GROUPS, 14), true)).toBeNull();
  expect(answerTo(list(`${MELDS} p5 s3 p0`, GROUPS, 12), true)).toBeNull(); // equal to a red one
  expect(answerTo(list(`${MELDS} p7 s3 p0`, GROUPS, 14), true)).toBeNull();
  expect(answerTo(list(`${MELDS} p7 s3 p9`, GROUPS, 0), true)).toBeNull();
});

test("a complete hand is taken without a question", () => {
  const full = list(`${MELDS} s3 s3 zN zN`, [...GROUPS, [12, 13]], 14, 15);
  expect(answerTo(full, true)).toEqual(full.suggest);
});

test("HOLD stops for either side that wins", () => {
  const sides = (player: boolean, cpu: boolean) => ({ player: side(player), cpu: side(cpu) });
  expect([sides(false, false), sides(true, false), sides(false, true)].map(stops)).toEqual([false, true, true]);
});
