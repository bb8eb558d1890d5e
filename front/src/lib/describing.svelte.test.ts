import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Describing, type Place } from "./describing.svelte";
import type { Describe, Described } from "./wire";

const place = (version: number, more: Partial<Place> = {}): Place => ({
  hand: 0,
  seat: 1,
  version,
  lang: "en",
  picked: [],
  ...more,
});

describe("Describing", () => {
  let sent: Omit<Describe, "ref">[];
  let connected: boolean;
  let describing: Describing;
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("window", globalThis);
    sent = [];
    connected = true;
    describing = new Describing((request) => (connected ? sent.push(request) : 0));
  });
  afterEach(() => vi.useRealTimers());

  const answer = (ref: number, version: number, log: string[], since = 0, picked: number[] = []): void =>
    describing.hear({ type: "described", ref, hand: 0, version, picked, since, log } as unknown as Described);

  it("asks one question at a time, and then the latest", () => {
    describing.want(place(1));
    describing.want(place(2));
    describing.want(place(3));
    expect(sent.map((request) => request.version)).toEqual([1]);
    answer(1, 1, ["a"]);
    expect(sent.map((request) => request.version)).toEqual([1, 3]);
  });

  it("asks only for lines it has not heard", () => {
    describing.want(place(2));
    answer(1, 2, ["a", "b"]);
    describing.want(place(3));
    expect(sent.at(-1)!.since).toBe(2);
    answer(2, 3, ["c"], 2);
    expect(describing.lines).toEqual(["a", "b", "c"]);
  });

  it("begins again with another hand, seat or language", () => {
    describing.want(place(2));
    answer(1, 2, ["a", "b"]);
    describing.want(place(2, { lang: "ja" }));
    expect(sent.at(-1)!.since).toBe(0);
    answer(2, 2, ["い", "ろ"]);
    expect(describing.lines).toEqual(["い", "ろ"]);
  });

  it("knows whether its words are those of a place", () => {
    describing.want(place(1, { picked: [4, 5] }));
    answer(1, 1, [], 0, [4, 5]);
    expect(describing.fits(0, 1, [4, 5])).toBe(true);
    expect(describing.fits(0, 1, [4])).toBe(false);
    expect(describing.fits(0, 2, [4, 5])).toBe(false);
  });

  it("ignores an answer to a question it has dropped", () => {
    describing.want(place(1));
    describing.reset();
    answer(1, 1, ["a"]);
    expect(describing.answer).toBeNull();
  });

  it("takes a refusal of its own question only", () => {
    describing.want(place(1));
    expect(describing.refuse(99, "match/over")).toBe(false);
    expect(describing.refuse(1, "match/over")).toBe(true);
    expect(describing.failed).toBe(true);
    describing.want(place(2));
    expect(describing.failed).toBe(false);
  });

  it("waits for the next state when the position has moved on", () => {
    describing.want(place(1));
    expect(describing.refuse(1, "match/stale")).toBe(true);
    expect(describing.failed).toBe(false);
  });

  it("asks again a little later when it asked too fast", () => {
    describing.want(place(1));
    describing.refuse(1, "message/rate");
    expect(sent).toHaveLength(1);
    vi.advanceTimersByTime(800);
    expect(sent).toHaveLength(2);
  });

  it("asks again at the next state after a lost line", () => {
    connected = false;
    describing.want(place(1));
    connected = true;
    describing.want(place(1));
    expect(sent).toHaveLength(1);
  });
});
