import { describe, expect, it } from "vitest";
import { KEYS, PITCH, chipsValue, comboLine, coverLine, face, messages, reading, say } from "./words";

describe("pieces by name", () => {
  it("names combos", () => {
    expect(messages.tell(comboLine({ R_SHI: 2 }), "en")).toBe("a pair of red shi");
    expect(messages.tell(comboLine({ R_NIU: 3 }), "zh")).toBe("三个红牛");
    expect(messages.tell(comboLine({ R_GOU: 1, B_GOU: 1 }), "ja")).toBe("狗の対");
  });

  it("names covered pieces, which are no combo", () => {
    expect(messages.tell(coverLine({ R_GOU: 1, B_GOU: 1 }), "en")).toBe("a red gou and a black gou");
    expect(messages.tell(coverLine({ B_NIU: 2, R_MA: 1 }), "en")).toBe("a red ma and two black niu");
    expect(messages.tell(coverLine({ B_NIU: 2 }), "zh")).toBe("两个黑牛");
  });

  it("reads the character out only where a reader needs it", () => {
    expect(reading("R_SHI", "en")).toBe("shi");
    expect(reading("R_SHI", "zh")).toBe("");
    expect([face("R_MA", "zh"), face("R_MA", "ja")]).toEqual(["马", "馬"]);
  });
});

describe("sentences", () => {
  it("tells chips by name, and the viewer as you", () => {
    const reader = { names: ["Zoe", "Lan", "Bo"], viewer: 1 };
    expect(say("table.ends", "en", { chips: chipsValue([2, -1, -1]) }, reader)).toBe(
      "If it ends now: Zoe +2, you −1, Bo −1",
    );
  });

  it("tells what ceramic pays in this hand", () => {
    expect(say("table.ceramic.about", "en", { chips: 1 })).toBe("6 pillars are ceramic: each seat below 3 pays 1");
    expect(say("table.ceramic.about", "zh", { chips: 3 })).toBe("六柱成瓷：不足三柱的每家付 3 个筹码");
    expect(say("table.ceramic.about", "ja", { chips: 3 })).toBe("六柱で「瓷」：三柱未満の各席から3点");
  });

  it("has a pitch and keys in every language", () => {
    for (const words of [PITCH, ...KEYS.map((key) => key.does)]) {
      expect(Object.values(words).every(Boolean)).toBe(true);
    }
  });
});
