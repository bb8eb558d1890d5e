import { describe, expect, it, vi } from "vitest";
import type { Lang } from "../tables/contract";
import { guideOf, tableOf } from "./tables";

const LANGS: Lang[] = ["zh", "en", "ja"];
const GAMES = ["nana", "paipai_rensa", "skill_gomoku", "wuhan_mahjong", "xianqi"];

// Components are stood in for: compiling them is slow, and browser tests draw them.
for (const game of GAMES) {
  for (const name of ["Table", "Preview", "GuidePiece", "GuideBoard"]) {
    vi.doMock(`../tables/${game}/${name}.svelte`, () => ({ default: `${game} ${name}` }));
  }
}

describe.each(GAMES)("%s", (game) => {
  it("has a table with a pitch and keys in every language", async () => {
    const table = (await tableOf(game))!;
    expect([table.Table, table.Preview]).toEqual([`${game} Table`, `${game} Preview`]);
    expect(table.keys.length).toBeGreaterThan(0);
    for (const words of [table.pitch, ...table.keys.map(({ does }) => does)]) {
      expect(LANGS.filter((lang) => !words[lang])).toEqual([]);
    }
    expect(LANGS.filter((lang) => table.messages.find("title", lang) === undefined)).toEqual([]);
  });

  it("has a guide that names every piece of its examples in every language", async () => {
    const guide = (await guideOf(game))!;
    expect(guide.Piece).toBe(`${game} GuidePiece`);
    const rows = Object.values(guide.examples).flatMap((example) => example.rows);
    const shown = rows.flatMap(({ groups = [] }) => groups.flatMap(({ pieces }) => pieces));
    const placed = rows.flatMap(({ boards = [] }) => boards.flatMap(({ cells }) => cells.flat()));
    const pieces = new Set([...shown, ...placed].filter((piece) => piece !== null));
    expect(pieces.size).toBeGreaterThan(1);
    for (const piece of pieces) {
      for (const lang of LANGS) {
        expect(guide.named(piece, lang), `${piece} in ${lang}`).not.toBe("");
      }
    }
  });
});

describe("a game without a folder", () => {
  it("has neither: it is described in words", async () => {
    expect(await tableOf("kuhn_poker")).toBeNull();
    expect(await guideOf("kuhn_poker")).toBeNull();
  });
});
