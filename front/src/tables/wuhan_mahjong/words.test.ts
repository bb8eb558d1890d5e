import { describe, expect, it } from "vitest";
import { bySeat, byTile, byTiles, everywhere, messages, word } from "./words";

const reader = { names: ["Ann", "Bo", "Cy", "Di"], viewer: 2 };

describe("words", () => {
  it("come from the message files in every language", () => {
    expect(everywhere("call.kong_lazy")).toEqual({ en: "Laizi kong", zh: "赖子杠", ja: "頼子槓" });
    expect(word("ask.discard", "ja")).toContain("あなた");
  });

  it("name seats and tiles for the reader", () => {
    const values = { from: bySeat(2), tile: byTile("7z") };
    expect(word("ask.claim", "en", values, reader)).toBe("You discarded White. Do you claim it?");
    expect(word("ask.claim", "zh", { ...values, from: bySeat(1) }, reader)).toBe("Bo打出白板，你要吗？");
    expect(word("table.list", "ja", { tiles: byTiles(["1s", "4z"]) })).toBe("一索、北");
  });

  it("tell the lines that the server sends", () => {
    const line: [string, object] = ["log.pong", { by: { seat: 0 }, from: { seat: 2 }, tile: ["tile.p", { n: 1 }] }];
    expect(messages.tell(line as Parameters<typeof messages.tell>[0], "en", reader)).toBe("Ann pongs 1 dots from you");
  });
});
