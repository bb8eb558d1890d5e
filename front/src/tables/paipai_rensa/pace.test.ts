import { beforeEach, describe, expect, it, vi } from "vitest";
import { HABITS, INTERVAL, intervalOf, keepHabit, keepPace, PACES, readHabit, readPace } from "./pace";

describe("pace", () => {
  const items = new Map<string, string>();
  let calm = false;
  beforeEach(() => {
    items.clear();
    calm = false;
    vi.stubGlobal("matchMedia", () => ({ matches: calm }));
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, value: string) => items.set(key, value),
    });
  });

  it("is normal at first, and none where motion is unwelcome", () => {
    expect(readPace()).toBe("normal");
    calm = true;
    expect(readPace()).toBe("none");
  });

  it("is remembered on this device, even against the system's preference", () => {
    keepPace("fast");
    calm = true;
    expect(readPace()).toBe("fast");
  });

  it("falls back where the stored value or the storage is unusable", () => {
    keepPace("warp" as never);
    expect(readPace()).toBe("normal");
    vi.stubGlobal("localStorage", undefined);
    expect(() => keepPace("slow")).not.toThrow();
    expect(readPace()).toBe("normal");
  });

  it("falls faster with each step, and not at all with none", () => {
    expect(PACES.map((pace) => INTERVAL[pace])).toEqual([0, 1600, 1000, 500]);
  });

  it("shortens its interval gently with the pairs placed, down to a floor", () => {
    expect([0, 25, 50, 68].map((placed) => intervalOf("normal", placed, true))).toEqual([1000, 800, 600, 600]);
    const steps = Array.from({ length: 68 }, (_, n) => intervalOf("slow", n, true) - intervalOf("slow", n + 1, true));
    expect(Math.min(...steps)).toBe(0);
    expect(Math.max(...steps)).toBeLessThan(13);
    expect(intervalOf("normal", 68, false)).toBe(1000);
    expect(intervalOf("none", 50, true)).toBe(0);
  });

  it("keeps each habit on its own, on at first", () => {
    expect(HABITS.map(readHabit)).toEqual([true, true, true]);
    keepHabit("quickens", false);
    expect(HABITS.map(readHabit)).toEqual([true, false, true]);
    keepHabit("quickens", true);
    expect(readHabit("quickens")).toBe(true);
    vi.stubGlobal("localStorage", undefined);
    expect(() => keepHabit("kicks", false)).not.toThrow();
    expect(readHabit("kicks")).toBe(true);
  });
});
