// The message files of the platform and of a game.

import en from "@qipai/core/messages/en.json";
import ja from "@qipai/core/messages/ja.json";
import zh from "@qipai/core/messages/zh.json";
import type { Lang } from "../tables/contract";
import { type Files, Messages, type Reader, type Values } from "./message";

export const common = new Messages({ en, zh, ja });
const PEOPLE = Object.keys(en).filter((key) => key.startsWith("person."));

/** Returns the names that bots at a table go by. The server names them from the same list, in English. */
export const people = (lang: Lang): string[] => PEOPLE.map((key) => common.say(key, lang));

/** The sentences of one game, with a function that only accepts the keys of its files. */
export function sentences<K extends string>(files: Record<Lang, Record<K, string>>) {
  const messages = new Messages(files as Files, common);
  const say = (key: K, lang: Lang, values: Values = {}, reader: Reader = {}): string =>
    messages.say(key, lang, values, reader);
  return { messages, say };
}
