import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

vi.mock("./api", () => ({
  me: vi.fn(async () => ({ name: "Ann" })),
  rename: vi.fn(async (name: string) => ({ name })),
}));
const sockets = vi.hoisted(() => [] as { hears: { message: (m: unknown) => void }; closed: boolean }[]);
vi.mock("./socket", () => ({
  Socket: class {
    closed = false;
    constructor(readonly hears: { message: (m: unknown) => void }) {
      sockets.push(this);
    }
    close(): void {
      this.closed = true;
    }
  },
}));

const items = new Map<string, string>();
const root = { lang: "", dataset: {} as Record<string, string> };

async function opened() {
  vi.resetModules();
  return import("./state.svelte");
}

beforeEach(() => {
  vi.useFakeTimers();
  items.clear();
  sockets.length = 0;
  vi.stubGlobal("window", globalThis);
  vi.stubGlobal("matchMedia", () => new EventTarget());
  vi.stubGlobal("document", { documentElement: root });
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => items.set(key, value),
  });
});
afterEach(() => vi.useRealTimers());

describe("choices", () => {
  it("are kept: language and sound", async () => {
    const { app, chooseLang, chooseMuted } = await opened();
    chooseLang("zh");
    chooseMuted(true);
    expect([app.lang, root.lang, app.muted]).toEqual(["zh", "zh-Hans", true]);
    expect(Object.fromEntries(items)).toEqual({ "qipai.lang": "zh", "qipai.muted": "yes" });
  });

  it("show the new name as the server took it", async () => {
    const { app, rename } = await opened();
    await rename("Bo");
    expect(app.me).toEqual({ name: "Bo" });
  });
});

describe("note", () => {
  it("shows three at most, no text twice, and each for a moment", async () => {
    const { app, note } = await opened();
    for (const text of ["a", "b", "a", "c", "d"]) note(text);
    expect(app.notes.map((one) => one.text)).toEqual(["a", "c", "d"]);
    vi.advanceTimersByTime(4500);
    expect(app.notes).toEqual([]);
  });
});

describe("followLobby", () => {
  it("shares one line, and keeps it while going from page to page", async () => {
    const { followLobby } = await opened();
    const first = followLobby();
    const second = followLobby();
    expect(sockets).toHaveLength(1);
    first();
    second();
    vi.advanceTimersByTime(400);
    const third = followLobby();
    vi.advanceTimersByTime(1000);
    expect(sockets[0]!.closed).toBe(false);
    third();
    vi.advanceTimersByTime(500);
    expect(sockets[0]!.closed).toBe(true);
    followLobby();
    expect(sockets).toHaveLength(2);
  });

  it("finds a game that the lobby offers", async () => {
    const { followLobby, gameInfo } = await opened();
    followLobby();
    expect(gameInfo("nana")).toBeUndefined();
    sockets[0]!.hears.message({ type: "lobby", games: [{ name: "nana" }] });
    expect(gameInfo("nana")).toEqual({ name: "nana" });
    expect(gameInfo("chess")).toBeUndefined();
  });
});

describe("changedLobby", () => {
  it("replaces what changed, drops what is gone, and lists the newest first", async () => {
    const { changedLobby } = await opened();
    const table = (id: string, created: number, watchers = 0) => ({ id, created, watchers });
    const before = {
      type: "lobby",
      games: [{ name: "nana", ready: false }, { name: "xianqi" }],
      tables: [table("b", 2), table("a", 1)],
      online: 1,
    };
    const change = {
      type: "lobby_change",
      games: [{ name: "nana", ready: true }],
      tables: [table("c", 3), table("a", 1, 5)],
      gone: ["b"],
      online: 4,
    };
    expect(changedLobby(before as never, change as never)).toEqual({
      type: "lobby",
      games: [{ name: "nana", ready: true }, { name: "xianqi" }],
      tables: [table("c", 3), table("a", 1, 5)],
      online: 4,
    });
  });
});

describe("met", () => {
  it("remembers each game once", async () => {
    const { meet, met } = await opened();
    expect(met("nana")).toBe(false);
    meet("nana");
    meet("nana");
    meet("xianqi");
    expect(met("nana")).toBe(true);
    expect(items.get("qipai.met")).toBe("nana,xianqi");
  });
});
