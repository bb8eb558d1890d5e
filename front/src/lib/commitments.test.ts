import { beforeEach, describe, expect, it, vi } from "vitest";

class Storage {
  items = new Map<string, string>();
  getItem = (key: string): string | null => this.items.get(key) ?? null;
  setItem = (key: string, value: string): void => void this.items.set(key, value);
}

/** The module as a page that was just opened has it. */
async function opened() {
  vi.resetModules();
  return (await import("./commitments")).firstCommitment;
}

describe("firstCommitment", () => {
  let storage: Storage;
  beforeEach(() => {
    storage = new Storage();
    vi.stubGlobal("sessionStorage", storage);
  });
  it("remembers what was told first for each hand of each table", async () => {
    const firstCommitment = await opened();
    expect(firstCommitment("t", 0, "aa")).toBe("aa");
    expect(firstCommitment("t", 0, "bb")).toBe("aa");
    expect(firstCommitment("t", 1, "cc")).toBe("cc");
    expect(firstCommitment("u", 0, "dd")).toBe("dd");
  });

  it("remembers it when the page is loaded again", async () => {
    (await opened())("t", 0, "aa");
    expect((await opened())("t", 0, "bb")).toBe("aa");
  });

  it("forgets the oldest of more than forty hands", async () => {
    const firstCommitment = await opened();
    for (let hand = 0; hand <= 40; hand++) firstCommitment("t", hand, `c${hand}`);
    expect(firstCommitment("t", 1, "other")).toBe("c1");
    expect(firstCommitment("t", 0, "other")).toBe("other");
  });

  it("works without storage, and with storage that holds nonsense", async () => {
    storage.items.set("qipai.commitments", "{");
    expect((await opened())("t", 0, "aa")).toBe("aa");
    vi.stubGlobal("sessionStorage", undefined);
    const firstCommitment = await opened();
    expect(firstCommitment("t", 0, "bb")).toBe("bb");
    expect(firstCommitment("t", 0, "cc")).toBe("bb");
  });
});
