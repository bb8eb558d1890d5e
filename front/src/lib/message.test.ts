import { expect, test } from "vitest";
import en from "@qipai/core/messages/en.json";
import ja from "@qipai/core/messages/ja.json";
import zh from "@qipai/core/messages/zh.json";
import given from "../../../tests/core/message_cases.json";
import { type Line, Messages, parseText, signed } from "./message";

const messages = new Messages(given.texts as never, new Messages({ en, zh, ja }));

for (const one of given.cases) {
  for (const lang of ["en", "zh"] as const) {
    test(`${one.line[0]} is filled in as Python fills it in (${lang})`, () => {
      const { names, viewer } = one as { names?: string[]; viewer?: number };
      const reader = { ...(names && { names }), ...(viewer !== undefined && { viewer }) };
      expect(messages.tell(one.line as Line, lang, reader)).toBe(one[lang]);
    });
  }
}

test.each(given.malformed)("the malformed text %s is refused", (text) => {
  expect(() => parseText(text)).toThrow();
});

test("an unknown message or value is named", () => {
  expect(() => messages.say("nothing.here", "en")).toThrow('there is no message "nothing.here"');
  expect(() => messages.say("reveal", "en", { by: 1, whose: 2 })).toThrow('uses "number"');
});

test("a gain or a loss has a sign", () => {
  expect([2, 0, -13].map(signed)).toEqual(["+2", "0", "−13"]);
});
