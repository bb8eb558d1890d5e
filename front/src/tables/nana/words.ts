// The sentences of the game's message files, in all languages.

import en from "@qipai/games/nana/messages/en.json";
import ja from "@qipai/games/nana/messages/ja.json";
import zh from "@qipai/games/nana/messages/zh.json";
import { sentences } from "../../lib/sentences";
import type { Line, Reader, Values } from "../../lib/message";
import type { Lang, TableModule, Words } from "../contract";

export type Key = keyof typeof en;
export const { messages, say } = sentences<Key>({ en, zh, ja });

/** A key with its values, which another sentence may hold. */
export const line = (key: Key, values: Values = {}): Line => [key, values];

/** Sentences in one language; seats are called by name, and the viewer's is "you". */
export class Voice {
  constructor(
    readonly lang: Lang,
    private readonly reader: Reader,
  ) {}

  say(key: Key, values: Values = {}): string {
    return say(key, this.lang, values, this.reader);
  }

  tell(line: Line): string {
    return messages.tell(line, this.lang, this.reader);
  }

  /** A seat's name. */
  who(seat: number): string {
    return this.say("who", { who: { seat } });
  }

  list(items: (number | Line)[]): string {
    return this.say("list", { items: { list: items } });
  }
}

const everywhere = (key: Key): Words => ({ zh: say(key, "zh"), en: say(key, "en"), ja: say(key, "ja") });

export const PITCH: Words = everywhere("pitch");

export const KEYS: TableModule["keys"] = [
  { key: "← → ↑ ↓", does: everywhere("key.move") },
  { key: "Enter", does: everywhere("key.turn_up") },
  { key: "A / D", does: everywhere("key.own") },
  { key: "Q W · E R · T Y · U I · O P", does: everywhere("key.others") },
  { key: "1 – 9, 0", does: everywhere("key.centre") },
  { key: "G", does: everywhere("key.goal") },
  { key: "Esc", does: everywhere("key.close") },
];
