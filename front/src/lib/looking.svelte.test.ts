import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Looking, type Place } from "./looking.svelte";
import type { Look, Plain } from "./wire";

const place = (version: number, more: Partial<Place> = {}): Place => ({
  hand: 0,
  seat: 1,
  version,
  lang: "en",
  picked: [],
  ...more,
});

describe("Looking", () => {
  let sent: Omit<Look, "ref">[];
  let connected: boolean;
  let looking: Looking;
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("window", globalThis);
    sent = [];
    connected = true;
    looking = new Looking((look) => (connected ? sent.push(look) : 0));
  });
  afterEach(() => vi.useRealTimers());

  const answer = (ref: number, version: number, log: string[], since = 0, picked: number[] = []): void =>
    looking.hear({ type: "plain", ref, hand: 0, version, picked, since, log } as unknown as Plain);

  it("asks one question at a time, and then the latest", () => {
    looking.look(place(1));
    looking.look(place(2));
    looking.look(place(3));
    expect(sent.map((look) => look.version)).toEqual([1]);
    answer(1, 1, ["a"]);
    expect(sent.map((look) => look.version)).toEqual([1, 3]);
  });

  it("asks only for lines it has not heard", () => {
    looking.look(place(2));
    answer(1, 2, ["a", "b"]);
    looking.look(place(3));
    expect(sent.at(-1)!.since).toBe(2);
    answer(2, 3, ["c"], 2);
    expect(looking.lines).toEqual(["a", "b", "c"]);
  });

  it("begins again with another hand, seat or language", () => {
    looking.look(place(2));
    answer(1, 2, ["a", "b"]);
    looking.look(place(2, { lang: "ja" }));
    expect(sent.at(-1)!.since).toBe(0);
    answer(2, 2, ["い", "ろ"]);
    expect(looking.lines).toEqual(["い", "ろ"]);
  });

  it("knows whether its words are those of a place", () => {
    looking.look(place(1, { picked: [4, 5] }));
    answer(1, 1, [], 0, [4, 5]);
    expect(looking.fits(0, 1, [4, 5])).toBe(true);
    expect(looking.fits(0, 1, [4])).toBe(false);
    expect(looking.fits(0, 2, [4, 5])).toBe(false);
  });

  it("ignores an answer to a question it has dropped", () => {
    looking.look(place(1));
    looking.reset();
    answer(1, 1, ["a"]);
    expect(looking.plain).toBeNull();
  });

  it("takes a refusal of its own question only", () => {
    looking.look(place(1));
    expect(looking.refuse(99, "match/over")).toBe(false);
    expect(looking.refuse(1, "match/over")).toBe(true);
    expect(looking.failed).toBe(true);
    looking.look(place(2));
    expect(looking.failed).toBe(false);
  });

  it("waits for the next state when the position has moved on", () => {
    looking.look(place(1));
    expect(looking.refuse(1, "match/stale")).toBe(true);
    expect(looking.failed).toBe(false);
  });

  it("asks again a little later when it asked too fast", () => {
    looking.look(place(1));
    looking.refuse(1, "message/rate");
    expect(sent).toHaveLength(1);
    vi.advanceTimersByTime(800);
    expect(sent).toHaveLength(2);
  });

  it("asks again at the next state after a lost line", () => {
    connected = false;
    looking.look(place(1));
    connected = true;
    looking.look(place(1));
    expect(sent).toHaveLength(1);
  });
});
