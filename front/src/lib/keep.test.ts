import { describe, expect, it, vi } from "vitest";
import { keep, kept } from "./keep";

describe("keep and kept", () => {
  it("remember a value under the page's own prefix", () => {
    const items = new Map<string, string>();
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, value: string) => items.set(key, value),
    });
    expect(kept("lang")).toBeNull();
    keep("lang", "ja");
    expect(kept("lang")).toBe("ja");
    expect([...items.keys()]).toEqual(["qipai.lang"]);
  });

  it("forget, and break nothing, where the browser refuses", () => {
    const refuse = () => {
      throw new Error("denied");
    };
    vi.stubGlobal("localStorage", { getItem: refuse, setItem: refuse });
    expect(() => keep("lang", "ja")).not.toThrow();
    expect(kept("lang")).toBeNull();
  });
});
