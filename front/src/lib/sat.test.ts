import { beforeEach, describe, expect, it, vi } from "vitest";
import { rememberTable, sat } from "./sat";

const name = (n: number) => `table${String(n).padStart(5, "0")}`;

describe("sat", () => {
  const items = new Map<string, string>();
  beforeEach(() => {
    items.clear();
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, value: string) => items.set(key, value),
    });
  });

  it("remembers the newest tables, each once", () => {
    for (let n = 0; n < 20; n++) rememberTable(name(n));
    rememberTable(name(15));
    expect(sat()).toHaveLength(12);
    expect(sat().slice(0, 3)).toEqual([name(15), name(19), name(18)]);
  });

  it("forgets what is no table's name", () => {
    items.set("qipai.tables", "../x,table00001,");
    expect(sat()).toEqual(["table00001"]);
  });
});
