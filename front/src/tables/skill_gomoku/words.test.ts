import { describe, expect, it } from "vitest";
import { card, cardAbout, cardName, colour, enumerate, KEYS, messages, PITCH, side, sideName } from "./words";
import type { CardId } from "./types";

const LANGS = ["en", "zh", "ja"] as const;
const CARDS: CardId[] = ["Place", "Take", "PolarityInversion", "TimeFreeze", "SpontaneousGeneration"];

describe("words", () => {
  it("name every card, side and colour in every language", () => {
    for (const lang of LANGS) {
      expect(new Set(CARDS.map((id) => cardName(id, lang))).size).toBe(5);
      expect(new Set(CARDS.map((id) => cardAbout(id, lang))).size).toBe(5);
      expect(sideName(1, lang)).not.toBe(sideName(2, lang));
    }
  });

  it("make values that sentences take", () => {
    const five = messages.say("draw.five", "en", { side: side(2), n: 5, from: "a1", to: "e5" });
    expect(five).toContain(sideName(2, "en"));
    expect(messages.say("ask.place", "zh", { card: card("Place"), colour: colour(1) })).toContain("黑");
  });

  it("are joined as each language does", () => {
    expect(enumerate(["a", "b"], "en")).toBe("a, b");
    expect(enumerate(["a", "b"], "ja")).toBe("a、b");
  });

  it("describe the game and its keys in every language", () => {
    for (const lang of LANGS) {
      expect(PITCH[lang]).toBeTruthy();
      expect(KEYS.every(({ does }) => does[lang])).toBe(true);
    }
  });
});
