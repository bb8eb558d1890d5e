// The language: from the browser or the switch, and texts in it.
import type { Lang, Words } from "../tables/contract";
import { kept } from "./keep";
import { app } from "./state.svelte";
import en from "../messages/en.json";
import ja from "../messages/ja.json";
import zh from "../messages/zh.json";
import type { Values } from "./message";
import { people, sentences } from "./sentences";

export type Key = keyof typeof en;
const shell = sentences<Key>({ en, zh, ja });
export const LANGS: { lang: Lang; name: string }[] = [
  { lang: "zh", name: "中文" },
  { lang: "en", name: "English" },
  { lang: "ja", name: "日本語" },
];
export const HTML_LANG: Record<Lang, string> = { zh: "zh-Hans", en: "en", ja: "ja" };

export function firstLang(): Lang {
  const wanted = [kept("lang") ?? "", ...navigator.languages];
  for (const tag of wanted) {
    const found = LANGS.find(({ lang }) => tag.toLowerCase().startsWith(lang));
    if (found) return found.lang;
  }
  return "en";
}

/** Returns a text of the shell in the chosen language. */
export function t(key: Key, values: Values = {}): string {
  return shell.say(key, app.lang, values);
}

/** Words that came from the server or a game's folder; a missing language falls back. */
export function pick(found: Partial<Words> | Record<string, string> | undefined): string {
  const by = (found ?? {}) as Record<string, string | undefined>;
  return by[app.lang] || by.en || by.zh || "";
}

/** Returns a name for display: one that the server assigned ("Guest 1234", "Bot Lan") is translated. */
export function personName(name: string): string {
  const guest = /^Guest (\d+)$/.exec(name);
  if (guest) return t("guestName", { n: guest[1]! });
  const bot = /^Bot (\w+)$/.exec(name);
  return bot ? botPerson(bot[1]!) : name;
}

/** Returns what a bot is called in the chosen language, by its English name or its number from 0. */
export function botPerson(bot: string | number): string {
  const number = typeof bot === "number" ? bot : people("en").indexOf(bot);
  return people(app.lang)[number] ?? String(bot);
}

/** Returns the text of a refusal, by its code. */
export function refusal(code: string): string {
  const family = code.split("/")[0]!;
  const found = [`refused.${code}`, `refused.${family}`].find((key) => key in en) ?? "refused";
  return t(found as Key);
}
