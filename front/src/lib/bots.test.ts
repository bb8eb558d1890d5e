import { describe, expect, it, vi } from "vitest";
import type { AgentInfo } from "./wire";

vi.mock("./state.svelte", () => ({ app: { lang: "en" } }));

import { botName } from "./bots";

const agent = (name: string, level: number, emoji: string): AgentInfo => ({
  name,
  level,
  emoji,
  title: { en: "Fox", zh: "狐狸", ja: "きつね" },
  about: { en: "", zh: "", ja: "" },
});

describe("botName", () => {
  it("shows emoji, number and name of a level", () => {
    expect(botName(agent("level3", 3, "🦊"))).toBe("🦊 Level 3: Fox");
  });

  it("calls any other agent a bot", () => {
    expect(botName(agent("net", 0, ""))).toBe("Bot · Fox");
  });
});
