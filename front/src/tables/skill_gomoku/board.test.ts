import { describe, expect, it } from "vitest";
import { actionOf, countOf, nameOf, other, pointOf, readPoint, stars } from "./board";

describe("points", () => {
  it.each([5, 15, 19])("have one action and one name each on a board of %i", (size) => {
    for (let y = 0; y < size; y++) {
      for (let x = 0; x < size; x++) {
        expect(pointOf(actionOf(x, y, size), size)).toEqual({ x, y });
        expect(readPoint(nameOf(x, y, size), size)).toEqual({ x, y });
      }
    }
  });

  it("are named from the bottom left, and h8 is the centre of 15 x 15", () => {
    expect(nameOf(7, 7, 15)).toBe("h8");
    expect(nameOf(0, 14, 15)).toBe("a1");
  });

  it.each(["", "h", "8", "h0", "h16", "p8", "H8", "h08", "h8 "])("are not read from %j", (text) => {
    expect(readPoint(text, 15)).toBeNull();
  });
});

describe("stars", () => {
  it("mark the centre of an odd board, and nothing on a small even one", () => {
    expect(stars(7)).toEqual([{ x: 3, y: 3 }]);
    expect(stars(8)).toEqual([]);
  });

  it("mark corners and centre at 15 x 15, and the sides too at 19 x 19", () => {
    expect(stars(15)).toHaveLength(5);
    expect(stars(19)).toHaveLength(9);
    expect(new Set(stars(19).map(({ x, y }) => `${x},${y}`)).size).toBe(9);
  });
});

describe("players", () => {
  it("oppose each other, and their stones are counted", () => {
    expect([other(1), other(2)]).toEqual([2, 1]);
    expect(
      countOf(
        [
          [0, 1],
          [1, 2],
        ],
        1,
      ),
    ).toBe(2);
  });
});
