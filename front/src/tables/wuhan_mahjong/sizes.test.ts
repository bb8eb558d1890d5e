import { describe, expect, it } from "vitest";
import { sizes } from "./sizes";

describe("sizes", () => {
  it("puts seats at the sides only where the table is wide", () => {
    expect(sizes(1200, 700).wide).toBe(true);
    expect(sizes(1200, 700).side).toBeGreaterThan(0);
    expect(sizes(390, 700)).toMatchObject({ wide: false, side: 0 });
    expect(sizes(700, 1000).wide).toBe(false);
  });

  it("knows a phone on its side", () => {
    expect(sizes(844, 290).low).toBe(true);
    expect(sizes(844, 344).low).toBe(true);
    expect(sizes(1200, 700).low).toBe(false);
    expect(sizes(390, 380).low).toBe(false);
  });

  it("fits fourteen tiles of a hand in one line on a wide table", () => {
    for (const width of [620, 900, 1400, 2000]) expect(sizes(width, 600).hand * 14).toBeLessThan(width);
  });

  it("fits seven tiles in a line on a phone", () => {
    for (const width of [320, 390, 430]) expect(sizes(width, 700).hand * 7).toBeLessThan(width);
  });

  it("never makes tiles too small to read or larger than needed", () => {
    for (const [width, height] of [
      [300, 300],
      [640, 300],
      [4000, 3000],
    ] as const) {
      const { hand } = sizes(width, height);
      expect(hand).toBeGreaterThanOrEqual(30);
      expect(hand).toBeLessThanOrEqual(60);
    }
  });
});
