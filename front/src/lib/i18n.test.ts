import { beforeEach, describe, expect, it, vi } from "vitest";

const { app } = vi.hoisted(() => ({ app: { lang: "en" } }));
vi.mock("./state.svelte", () => ({ app }));

import { firstLang, personName, pick, refusal, t } from "./i18n";
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
});
