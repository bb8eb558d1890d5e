import { describe, expect, it, vi } from "vitest";
import type { AgentInfo } from "./wire";

vi.mock("./state.svelte", () => ({ app: { lang: "en" } }));

import { botName } from "./bots";

const named = (level: number): string => botName({ level } as AgentInfo);

describe("botName", () => {
  it("is different for each level up to the strongest, and the same from there on", () => {
    expect(new Set([0, 1, 2, 3].map(named)).size).toBe(4);
    expect(named(9)).toBe(named(3));
  });
});
