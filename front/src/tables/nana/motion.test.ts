import { describe, expect, it, vi } from "vitest";
import { deal, film, fly, isStill } from "./motion";
import type { NanaEvent, View } from "./types";

const view = (more: Partial<View>): View =>
  ({ current: 0, last: null, known: {}, removed: {}, face_up: [], ...more }) as unknown as View;

describe("film", () => {
  it("shows the deal of a new hand", () => {
    expect(film(view({}), [{ event: "start" }])).toMatchObject([{ deal: true, sound: "deal", chain: [] }]);
  });

  it("goes on with the cards that were face up before", () => {
    const now = view({
      known: { c0: 4, c1: 4 },
      face_up: [
        { slot: "c0", number: 4 },
        { slot: "c1", number: 4 },
      ],
    });
    const frames = film(now, [{ type: "reveal", by: 1, slot: "c1", number: 4 }]);
    expect(frames).toHaveLength(1);
    expect(frames[0]!.chain.map((link) => link.slot)).toEqual(["c0", "c1"]);
    expect(frames[0]!.by).toBe(1);
  });

  it("holds a failed attempt to be remembered, then turns it back", () => {
    const events: NanaEvent[] = [
      { type: "reveal", by: 0, slot: "c1", number: 5 },
      { type: "fail", by: 0 },
    ];
    const frames = film(view({ known: { c0: 4, c1: 5 }, last: { by: 0, slots: ["c0", "c1"] } }), events);
    expect(frames.map((frame) => [frame.mood, frame.chain.length])).toEqual([
      ["open", 2],
      ["bad", 2],
      ["open", 0],
    ]);
    expect(frames[1]!.ms).toBeGreaterThan(1000);
  });

  it("shows a trio before it flies to its owner", () => {
    const collect = { type: "collect", by: 1, number: 3, slots: ["c0", "c1", "h0.0"] } as const;
    const events = [{ type: "reveal", by: 1, slot: "h0.0", number: 3 }, collect] as unknown as NanaEvent[];
    const now = view({ removed: { c0: 3, c1: 3, "h0.0": 3 }, last: { by: 1, slots: ["c0", "c1", "h0.0"] } });
    const frames = film(now, events);
    expect(frames.map((frame) => frame.mood)).toEqual(["open", "good", "good"]);
    expect(frames[0]!.chain).toHaveLength(3);
    expect(frames.every((frame) => frame.pending.length === 1)).toBe(true);
    expect(frames[2]!.fly).toEqual(collect);
  });
});

/** A root whose elements lie where they are said to. */
function stage(boxes: Record<string, [number, number]>, still: boolean) {
  vi.stubGlobal("matchMedia", () => ({ matches: still }));
  const animate = vi.fn((frames: unknown, timing: unknown) => ({ frames, timing }));
  const element = ([left, top]: [number, number]) => ({
    getBoundingClientRect: () => ({ left, top, width: 10, height: 20 }),
    animate,
  });
  const root = {
    querySelector: (query: string) => (boxes[query] ? element(boxes[query]) : null),
    querySelectorAll: () => Object.values(boxes).map(element),
    getBoundingClientRect: () => ({ left: 0, top: 0, width: 100, height: 100 }),
  };
  return { root: root as unknown as HTMLElement, animate };
}

const TRIO = { type: "collect", by: 1, number: 3, slots: ["c0", "c9"] } as const;

describe("fly", () => {
  it("moves the trio's cards that are on the table to the collector's row", () => {
    const { root, animate } = stage({ '[data-row="1"]': [50, 60], '[data-slot="c0"]': [10, 20] }, false);
    expect(fly(root, TRIO as never)).toHaveLength(1);
    expect(animate.mock.calls[0]![0]).toMatchObject([{}, { translate: "40px 40px" }]);
  });

  it("moves nothing where motion is unwelcome", () => {
    const { root } = stage({ '[data-row="1"]': [50, 60], '[data-slot="c0"]': [10, 20] }, true);
    expect(isStill()).toBe(true);
    expect(fly(root, TRIO as never)).toEqual([]);
    expect(deal(root)).toEqual([]);
  });
});

describe("deal", () => {
  it("brings each card from the middle, one after another", () => {
    const { root, animate } = stage({ a: [10, 20], b: [20, 20] }, false);
    expect(deal(root)).toHaveLength(2);
    expect(animate.mock.calls[0]![0]).toMatchObject([{ translate: "35px 20px" }, {}]);
    expect(animate.mock.calls[1]![1]).toMatchObject({ delay: 13 });
  });
});
