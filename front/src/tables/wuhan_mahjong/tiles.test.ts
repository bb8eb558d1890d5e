import { describe, expect, it } from "vitest";
import * as tiles from "./tiles";
import type { View } from "./types";

const { arrange, codeOf, kindOf, kongOf, specialOf, tileName, tileNames, tilesOf, unseen } = tiles;
const KINDS = Array.from({ length: 34 }, (_, kind) => kind);
const view = (more: Partial<View> = {}): View =>
  ({
    laizi: "3m",
    skins: ["1m", "2m"],
    claimed: null,
    seats: 2,
    indicator: "2m",
    rivers: [[], []],
    special_kongs: [[], []],
    melds: [[], []],
    hand: [],
    ...more,
  }) as unknown as View;

describe("kinds", () => {
  it("read back from their codes", () => {
    expect(KINDS.map((kind) => kindOf(codeOf(kind)))).toEqual(KINDS);
    expect([codeOf(0), codeOf(9), codeOf(18), codeOf(33)]).toEqual(["1m", "1s", "1p", "7z"]);
  });

  it("have different names in every language", () => {
    for (const lang of ["zh", "en", "ja"] as const) {
      expect(new Set(KINDS.map((kind) => tileName(codeOf(kind), lang))).size).toBe(34);
    }
    expect(tileNames(["1m", "5z"], "en")).toBe("1 characters, Red");
  });
});

describe("special tiles", () => {
  it("are the red dragon, the laizi and the skins of this hand", () => {
    expect(["5z", "3m", "1m", "2m", "4m"].map((code) => specialOf(code, view()))).toEqual([
      "red",
      "laizi",
      "skin",
      "skin",
      null,
    ]);
  });

  it("have a kong of their own", () => {
    expect(["5z", "3m", "1m", "2m"].map((code) => kongOf(code, view()))).toEqual([
      tiles.KONG_RED,
      tiles.KONG_LAIZI,
      tiles.KONG_SKIN,
      tiles.KONG_SKIN + 1,
    ]);
  });
});

describe("arrange", () => {
  it("puts special tiles first and leaves out the drawn one, once", () => {
    expect(arrange(["9p", "5z", "1m", "3m", "4m", "4m"], "4m", view())).toEqual(["3m", "1m", "5z", "4m", "9p"]);
    expect(arrange(["9p"], "4m", view())).toEqual(["9p"]);
  });
});

describe("tilesOf", () => {
  const asked = view({ claimed: { tile: "5s", seat: 1 } });

  it("lays a claimed tile into its sequence", () => {
    expect(tilesOf(tiles.CHOW, asked)).toEqual({ tiles: ["5s", "6s", "7s"], claimed: 0 });
    expect(tilesOf(tiles.CHOW + 2, asked)).toEqual({ tiles: ["3s", "4s", "5s"], claimed: 2 });
  });

  it("shows as many tiles as a meld has", () => {
    expect(tilesOf(tiles.PONG, asked).tiles).toHaveLength(3);
    expect(tilesOf(tiles.EXPOSED, asked).tiles).toHaveLength(4);
    expect(tilesOf(tiles.SUPPLEMENT + 9, asked)).toEqual({ tiles: ["1s", "1s", "1s", "1s"], claimed: -1 });
    expect(tilesOf(tiles.CONCEALED + 33, asked).tiles[0]).toBe("7z");
  });

  it("shows the single tile of a special kong", () => {
    expect(tilesOf(tiles.KONG_RED, view()).tiles).toEqual(["5z"]);
    expect(tilesOf(tiles.KONG_LAIZI, view()).tiles).toEqual(["3m"]);
    expect(tilesOf(tiles.KONG_SKIN + 1, view()).tiles).toEqual(["2m"]);
  });

  it("shows the winning tile, claimed or drawn", () => {
    expect(tilesOf(tiles.WIN, asked)).toEqual({ tiles: ["5s"], claimed: 0 });
    expect(tilesOf(tiles.WIN, view({ drawn: "9p" }))).toEqual({ tiles: ["9p"], claimed: -1 });
    expect(tilesOf(tiles.PASS, asked)).toEqual({ tiles: [], claimed: -1 });
  });
});

describe("unseen", () => {
  it("counts what lies open and what the viewer holds, wherever it is", () => {
    expect(unseen("4m", view())).toBe(4);
    expect(unseen("2m", view())).toBe(3); // the indicator
    const open = view({
      rivers: [["4m"], []],
      melds: [[], [{ type: "CHOW", tiles: ["4m", "5m", "6m"], from: 0 }]],
      hand: ["4m"],
    });
    expect(unseen("4m", open)).toBe(1);
  });

  it("does not count another seat's concealed kong", () => {
    expect(unseen("4m", view({ melds: [[{ type: "KONG_CONCEALED", tiles: null, from: 0 }], []] }))).toBe(4);
  });
});
