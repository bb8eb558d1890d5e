import { beforeEach, describe, expect, it, vi } from "vitest";
import { INTERVAL, keepPace, PACES, readPace } from "./pace";

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
});
