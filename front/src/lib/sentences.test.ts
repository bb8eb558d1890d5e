import { describe, expect, it } from "vitest";
import { people, sentences } from "./sentences";

const FILES = {
  en: { win: "{by} won", "you.who": "thou" },
  ja: { win: "{by}の勝ち", "you.who": "おぬし" },
  zh: { win: "{by}赢了", "you.who": "您" },
};

describe("sentences", () => {
  it("are said in the reader's language, from the game's own files first", () => {
    const { say, messages } = sentences(FILES);
    expect(say("win", "zh", { by: { seat: 1 } }, { names: ["Ann", "Bo"], viewer: 0 })).toBe("Bo赢了");
    expect(messages.tell(["win", { by: { seat: 0 } }], "en", { names: ["Ann", "Bo"], viewer: 0 })).toBe("Thou won");
  });

  it("find in the platform's files what a game's own do not have", () => {
    const { say } = sentences({ en: { win: "{by} won" }, ja: { win: "{by}の勝ち" }, zh: { win: "{by}赢了" } });
    expect(say("win", "en", { by: { seat: 0 } }, { viewer: 0 })).toBe("You won");
    expect(say("win", "ja", { by: { seat: 0 } }, { viewer: 0 })).toBe("あなたの勝ち");
  });
});

describe("the names of bots", () => {
  it("are as many in every language, in one order, all different", () => {
    const [en, ja, zh] = [people("en"), people("ja"), people("zh")];
    expect(en[0]).toBe("Lan");
    expect([ja.length, zh.length]).toEqual([en.length, en.length]);
    for (const names of [en, ja, zh]) expect(new Set(names).size).toBe(names.length);
  });
});
