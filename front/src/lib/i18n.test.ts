import { beforeEach, describe, expect, it, vi } from "vitest";

const { app } = vi.hoisted(() => ({ app: { lang: "en" } }));
vi.mock("./state.svelte", () => ({ app }));

import { botPerson, firstLang, personName, pick, refusal, t } from "./i18n";
import { people } from "./sentences";
import en from "../messages/en.json";
import zh from "../messages/zh.json";

beforeEach(() => {
  app.lang = "en";
});

describe("firstLang", () => {
  const browser = (languages: string[], chosen: string | null = null) => {
    vi.stubGlobal("navigator", { languages });
    vi.stubGlobal("localStorage", { getItem: () => chosen });
  };

  it("is the browser's first language that the page speaks", () => {
    browser(["fr-FR", "JA-jp", "zh"]);
    expect(firstLang()).toBe("ja");
  });

  it("is the language chosen before, whatever the browser prefers", () => {
    browser(["ja"], "zh");
    expect(firstLang()).toBe("zh");
  });

  it("is English where none fits", () => {
    browser(["fr", "de"]);
    expect(firstLang()).toBe("en");
  });
});

describe("t", () => {
  it("follows the chosen language", () => {
    expect(t("copied")).toBe(en.copied);
    app.lang = "zh";
    expect(t("copied")).toBe(zh.copied);
  });

  it("fills in what is given, and refuses to leave a gap", () => {
    expect(t("guestName", { n: 7 })).toContain("7");
    expect(() => t("guestName")).toThrow('a message uses "n"');
  });
});

describe("pick", () => {
  it("falls back to English, then Chinese, then nothing", () => {
    app.lang = "ja";
    expect(pick({ ja: "に", en: "two", zh: "二" })).toBe("に");
    expect(pick({ en: "two", zh: "二" })).toBe("two");
    expect(pick({ en: "", zh: "二" })).toBe("二");
    expect(pick(undefined)).toBe("");
  });
});

describe("personName", () => {
  it("translates a name that the server gave, and no other", () => {
    app.lang = "zh";
    expect(personName("Guest 1234")).toBe(t("guestName", { n: "1234" }));
    expect(personName("Guest 12 and me")).toBe("Guest 12 and me");
  });

  it("gives a bot a name of the language, and leaves people who are called the same alone", () => {
    const called = (lang: string) => {
      app.lang = lang;
      return ["Bot Bo", "Bot Mei", "Bo"].map(personName);
    };
    expect(called("zh")).toEqual(["小波", "阿梅", "Bo"]);
    expect(called("ja")).toEqual(["ボー", "メイ", "Bo"]);
    expect(called("en")).toEqual(["Bo", "Mei", "Bo"]);
  });

  it("finds a bot by its number, and every name of the list that the server reads", () => {
    app.lang = "zh";
    expect(people("en").map((name) => personName(`Bot ${name}`))).toEqual(people("zh"));
    expect(botPerson(1)).toBe("小波");
    expect(new Set(people("zh")).size).toBe(8);
  });

  it("keeps a bot's name that it does not know", () => {
    expect(botPerson("Zed")).toBe("Zed");
    expect(personName("Bot Zed")).toBe("Zed");
  });
});

describe("refusal", () => {
  it("is found by its code, then by the family of the code, then in general", () => {
    const codes = Object.keys(en).filter((key) => key.startsWith("refused."));
    const whole = codes.find((key) => key.includes("/"))!;
    const family = codes.find((key) => !key.includes("/"))!;
    const text = (key: string) => (en as Record<string, string>)[key];
    expect(refusal(whole.slice("refused.".length))).toBe(text(whole));
    expect(refusal(`${family.slice("refused.".length)}/never-heard-of`)).toBe(text(family));
    expect(refusal("unknown/code")).toBe(en.refused);
  });

  it.each([
    ["zh", /规则/],
    ["en", /option|house rule/i],
    ["ja", /ルール/],
  ] as const)("says of a wrong option what is wrong: %s", (lang, reason) => {
    app.lang = lang;
    expect(refusal("option/bad")).toMatch(reason);
    app.lang = "en";
  });
});
