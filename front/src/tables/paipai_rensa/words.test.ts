import { expect, test } from "vitest";
import { everywhere, messages, PLAYER, speaker, tile, tiles, where } from "./words";

const LAND = { who: PLAYER, axis: tile("m1"), column: 3, rotor: tile("zE"), where: where(1), lost: 0, tiles: "" };

test("a reader's sentences are in one language, and about them", () => {
  const landed = "1 man into column 3, with East on its right.";
  expect(speaker("en", { viewer: 0 })("log.land", LAND)).toBe(`You drop ${landed}`);
  expect(speaker("en", { viewer: -1, names: ["Ann"] })("log.land", LAND)).toBe(`Ann drops ${landed}`);
  expect(everywhere("tile.zE")).toEqual({ en: "East", zh: speaker("zh")("tile.zE"), ja: speaker("ja")("tile.zE") });
});

test("tiles are joined as the language does", () => {
  const crushed = { ...LAND, lost: 2, tiles: tiles(["m0", "zC"]) };
  expect(speaker("en")("log.land", crushed)).toContain(", crushing red 5 man, Red.");
  expect(speaker("ja")("log.land", crushed)).toContain(`${speaker("ja")("tile.m0")}、${speaker("ja")("tile.zC")}`);
});

test("the rotor is above, right of, below or left of the axis", () => {
  const text = (r: number) => messages.tell(where(r), "en");
  expect([0, 1, 2, 3].map(text)).toEqual(["above it", "on its right", "below it", "on its left"]);
});
