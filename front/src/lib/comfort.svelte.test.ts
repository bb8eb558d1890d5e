import { beforeEach, describe, expect, it, vi } from "vitest";

const items = new Map<string, string>();

async function opened() {
  vi.resetModules();
  return import("./comfort.svelte");
}

beforeEach(() => {
  items.clear();
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => items.set(name, value),
  });
  vi.stubGlobal("document", { documentElement: { dataset: {} } });
});

describe("comfort", () => {
  it("stretches and shortens motion as chosen, and remembers it", async () => {
    const first = await opened();
    expect(first.paced(100)).toBe(100);
    first.chooseMotion("fast");
    expect(first.paced(100)).toBe(45);
    const later = await opened();
    expect(later.comfort.motion).toBe("fast");
  });
  it("does not believe what it never wrote", async () => {
    items.set("qipai.motion", "warp");
    items.set("qipai.volume", "loud");
    const { comfort } = await opened();
    expect([comfort.motion, comfort.volume]).toEqual(["normal", 100]);
  });
  it("tells style sheets about suits, and remembers the bots' pace", async () => {
    const { chooseBots, chooseSuits } = await opened();
    chooseSuits(true);
    chooseBots("slow");
    expect(document.documentElement.dataset.suits).toBe("safe");
    expect([items.get("qipai.suits"), items.get("qipai.bots")]).toEqual(["yes", "slow"]);
  });
  it("sets the volume of sounds", async () => {
    const { chooseVolume, comfort } = await opened();
    chooseVolume(30);
    expect([comfort.volume, items.get("qipai.volume")]).toEqual([30, "30"]);
  });
});
