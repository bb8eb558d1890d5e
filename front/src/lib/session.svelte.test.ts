import { beforeEach, describe, expect, it, vi } from "vitest";
import type { FromServer, State } from "./wire";
import type { Hears } from "./socket";

const { note, play, line } = vi.hoisted(() => ({
  note: vi.fn(),
  play: vi.fn(),
  line: { hears: null as unknown, sent: [] as Record<string, unknown>[], up: true, closed: false },
}));
vi.mock("./state.svelte", () => ({ note, app: { lang: "en", me: { id: "me" } }, known: Promise.resolve() }));
vi.mock("./sound", () => ({ play }));
vi.mock("./commitments", () => ({ firstCommitment: (_table: string, _hand: number, told: string) => told }));
vi.mock("./socket", () => ({
  Socket: class {
    constructor(hears: unknown) {
      line.hears = hears;
    }
    send(message: Record<string, unknown>): boolean {
      if (line.up) line.sent.push(message);
      return line.up;
    }
    close(): void {
      line.closed = true;
    }
  },
}));

import { Session } from "./session.svelte";

const server = (): Hears<FromServer> => line.hears as Hears<FromServer>;
const tell = (message: Record<string, unknown>): void => server().message(message as unknown as FromServer);
const state = (hand: number, version: number, events: object[] = [], more: Partial<State> = {}): void =>
  tell({ type: "state", hand, version, seat: 0, events, lines: [], legal: [1], commitment: "c", clock: null, ...more });

let session: Session;
const logged = () => session.log.map((told) => told.event);
beforeEach(() => {
  [note, play].forEach((mock) => mock.mockReset());
  Object.assign(line, { sent: [], up: true, closed: false });
  session = new Session("a/b");
  server().line("open", 0);
});

describe("what a session hears", () => {
  it("asks for everything at first, and then for what is new", () => {
    expect(server().path()).toBe("/ws/table/a%2Fb");
    state(2, 5);
    expect(server().path()).toBe("/ws/table/a%2Fb?since=5&hand=2");
  });

  it("appends events to the log of the hand and clears it with the next hand", () => {
    state(0, 2, [{ n: 1 }, { n: 2 }]);
    state(0, 3, [{ n: 3 }]);
    expect(logged()).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    expect(session.motion).toEqual([{ n: 3 }]);
    state(1, 1, [{ n: 4 }]);
    expect(logged()).toEqual([{ n: 4 }]);
  });

  it("does not repeat events that are told twice", () => {
    state(0, 2, [{ n: 1 }, { n: 2 }]);
    state(0, 3, [{ n: 2 }, { n: 3 }]);
    expect(logged()).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  it("acts out no long list of missed events", () => {
    const missed = Array.from({ length: 9 }, (_, n) => ({ n }));
    state(0, 9, missed);
    expect(session.motion).toEqual([]);
    expect(session.log).toHaveLength(9);
  });

  it("keeps the last two hundred lines of chat, and takes them again from a new line", () => {
    for (let n = 0; n < 205; n++) tell({ type: "chat", text: String(n) });
    expect(session.chat).toHaveLength(200);
    expect(session.chat[0]).toMatchObject({ text: "5" });
    server().line("open", 0);
    expect(session.chat).toEqual([]);
  });

  it("remembers why the server closed the line", () => {
    server().line("closed", 4404);
    expect([session.line, session.closed]).toEqual(["closed", 4404]);
  });
});

describe("a move", () => {
  it("names the position it was chosen in, and freezes the table until the answer", () => {
    state(0, 4);
    session.act([7, 8]);
    expect(line.sent).toEqual([{ type: "act", hand: 0, version: 4, actions: [7, 8], ref: 1 }]);
    expect(session.acting).toBe(true);
    session.act([9]);
    expect(line.sent).toHaveLength(1);
    tell({ type: "done", ref: 1 });
    expect(session.acting).toBe(false);
  });

  it("is settled by the next state as well", () => {
    state(0, 4);
    session.act([7]);
    state(0, 5);
    expect(session.acting).toBe(false);
  });

  it("is not sent where nothing is asked", () => {
    session.act([1]);
    state(0, 1, [], { legal: [] });
    session.act([1]);
    expect(line.sent).toEqual([]);
  });

  it("frees the table with a sound and a sentence when it is refused", () => {
    state(0, 4);
    session.act([7]);
    tell({ type: "refused", ref: 1, code: "action/illegal" });
    expect(session.acting).toBe(false);
    expect(play).toHaveBeenCalledWith("error");
    expect(note).toHaveBeenCalledWith(expect.stringMatching(/\w/), "bad");
  });

  it("is told to be impossible while the line is down", () => {
    state(0, 4);
    line.up = false;
    session.act([7]);
    expect(session.acting).toBe(false);
    expect(note).toHaveBeenCalledTimes(1);
  });
});

describe("leaving", () => {
  it("closes the line", () => {
    session.close();
    expect(line.closed).toBe(true);
  });
});

describe("chat", () => {
  const say = (id: number, who: string) => tell({ type: "chat", id, who, seat: 1, name: "Eve", text: "hm", at: 1 });
  const ids = () => session.chat.map((one) => one.id);

  it("hides a muted writer at this table", () => {
    say(1, "eve");
    say(2, "bo");
    session.mute(session.chat[0]!);
    say(3, "eve");
    expect(ids()).toEqual([2]);
  });

  it("hides a blocked writer when the server has stored it", () => {
    say(1, "eve");
    session.block(session.chat[0]!);
    expect(ids()).toEqual([1]);
    tell({ type: "done", ref: 1 });
    expect(ids()).toEqual([]);
    expect(note).toHaveBeenCalledTimes(1);
  });

  it("stays muted at this table on the next visit, and at no other", () => {
    const store: Record<string, string> = {};
    const setItem = (name: string, value: string) => (store[name] = value);
    vi.stubGlobal("localStorage", { getItem: (name: string) => store[name] ?? null, setItem });
    session.hush(true);
    expect([new Session("a/b").hushed, new Session("c").hushed]).toEqual([true, false]);
    session.hush(false);
    expect(new Session("a/b").hushed).toBe(false);
    vi.unstubAllGlobals();
  });

  it("offers nothing about one's own lines and those without a writer", () => {
    say(1, "");
    say(2, "eve");
    expect(session.chat.map((one) => session.foreign(one))).toEqual([false, true]);
  });
});

describe("the exchange before a deal", () => {
  const shares = (phase: string, seats: object[], hand = 0): void =>
    tell({ type: "shares", hand, phase, shares: { commitment: "00".repeat(32), seed: null, seats } });
  const own = { seat: 0, commitment: null, reveal: null };
  beforeEach(() => tell({ type: "table", table: {}, you: 0 }));

  it("commits and reveals by itself", async () => {
    shares("commit", [own]);
    expect(session.shuffling).toBe(true);
    await vi.waitFor(() => expect(line.sent).toHaveLength(1));
    const { commitment } = line.sent[0] as { commitment: string };
    shares("reveal", [{ ...own, commitment }]);
    await vi.waitFor(() => expect(line.sent).toHaveLength(2));
    expect(line.sent[1]).toMatchObject({ type: "reveal", hand: 0 });
    tell({ type: "done", ref: 2 });
    shares("dealt", [{ ...own, commitment, reveal: "11".repeat(32) }]);
    expect([session.shuffling, session.dealt?.hand, note.mock.calls.length]).toEqual([false, 0, 0]);
  });

  it("does not disturb anyone with a refusal", async () => {
    shares("commit", [own], 1);
    await vi.waitFor(() => expect(line.sent).toHaveLength(1));
    tell({ type: "refused", ref: 1, code: "share/none" });
    expect(note).not.toHaveBeenCalled();
  });

  it("says once that this page was left out", () => {
    shares("dealt", [own]);
    shares("dealt", [own]);
    shares("over", [own]);
    expect(note).toHaveBeenCalledTimes(1);
    shares("dealt", [{ ...own, seat: 1 }], 1);
    expect(note).toHaveBeenCalledTimes(1);
  });
});
