import { beforeEach, describe, expect, it, vi } from "vitest";

const items = new Map<string, string>();
let system: EventTarget & { matches: boolean };
let root: { dataset: Record<string, string> };

async function opened() {
  vi.resetModules();
  return import("./theme");
}

beforeEach(() => {
  items.clear();
  system = Object.assign(new EventTarget(), { matches: false });
  root = { dataset: {} };
  vi.stubGlobal("matchMedia", () => system);
  vi.stubGlobal("document", { documentElement: root });
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => items.set(key, value),
  });
});

describe("theme", () => {
  it("is the system's until one is chosen, and a kept nonsense counts as none", async () => {
    const { firstTheme } = await opened();
    expect(firstTheme()).toBe("system");
    items.set("qipai.theme", "purple");
    expect(firstTheme()).toBe("system");
    items.set("qipai.theme", "dark");
    expect(firstTheme()).toBe("dark");
  });

  it("is kept and written where the style sheet reads it", async () => {
    const { applyTheme } = await opened();
    applyTheme("dark");
    expect(root.dataset["theme"]).toBe("dark");
    expect(items.get("qipai.theme")).toBe("dark");
  });

  it("follows the system while it is left to it, and not when one was chosen", async () => {
    const { applyTheme } = await opened();
    applyTheme("system");
    expect(root.dataset["theme"]).toBe("light");
    system.matches = true;
    system.dispatchEvent(new Event("change"));
    expect(root.dataset["theme"]).toBe("dark");
    applyTheme("light");
    system.dispatchEvent(new Event("change"));
    expect(root.dataset["theme"]).toBe("light");
  });
});
