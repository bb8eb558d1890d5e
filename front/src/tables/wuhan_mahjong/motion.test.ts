import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Motion } from "./motion";

/** A table whose spots hold tiles that can be moved. */
function table(spots: Record<string, string[]>) {
  const flown: { spot: string; code: string; delay: number }[] = [];
  const finished = vi.fn();
  const box = () => ({ left: 0, top: 0, width: 10, height: 10 });
  const element = (name: string) => ({
    getBoundingClientRect: box,
    querySelectorAll: () =>
      spots[name]!.map((code) => ({
        dataset: { code },
        getBoundingClientRect: box,
        animate: (_frames: unknown, { delay }: { delay: number }) => {
          flown.push({ spot: name, code, delay });
          return { finish: finished };
        },
      })),
  });
  const root = {
    querySelector: (query: string) => {
      const name = /data-spot="(.*)"/.exec(query)![1]!;
      return name in spots ? element(name) : null;
    },
  };
  return { root: root as unknown as HTMLElement, flown, finished };
}

describe("Motion", () => {
  const call = vi.fn();
  const sound = vi.fn();
  let still = false;
  beforeEach(() => {
    vi.useFakeTimers();
    [call, sound].forEach((mock) => mock.mockReset());
    still = false;
    vi.stubGlobal("window", globalThis);
    vi.stubGlobal("matchMedia", () => ({ matches: still }));
  });
  afterEach(() => vi.useRealTimers());

  it("flies the discarded tile to the end of the river", () => {
    const { root, flown } = table({ "hand-1": [], "river-1": ["1m", "2m"] });
    expect(new Motion(root, call, sound).play([{ event: "discard", seat: 1 }], 0)).toBeGreaterThan(0);
    expect(flown).toEqual([{ spot: "river-1", code: "2m", delay: 0 }]);
    vi.runAllTimers();
    expect(sound.mock.calls).toEqual([["place"]]);
  });

  it("plays events one after another", () => {
    const { root, flown } = table({ wall: [], "hand-0": ["9p"], "hand-1": [], "river-1": ["2m"] });
    const events = [
      { event: "discard", seat: 1 },
      { event: "draw", seat: 0 },
    ];
    const took = new Motion(root, call, sound).play(events, 0);
    expect(flown.map((one) => one.spot)).toEqual(["river-1", "hand-0"]);
    expect(flown[1]!.delay).toBeGreaterThan(flown[0]!.delay);
    expect(took).toBeGreaterThan(flown[1]!.delay);
  });

  it.each([
    ["pong", 3],
    ["kong_exposed", 4],
  ])("brings the tiles of a %s together and calls it for a moment", (kind, count) => {
    const { root, flown } = table({ "river-0": [], "melds-1": ["1s", "2s", "3s", "5s", "5s", "5s", "5s"] });
    new Motion(root, call, sound).play([{ event: kind, seat: 1, from: 0 }], 0);
    expect(flown).toHaveLength(count);
    call.mockReset();
    vi.advanceTimersByTime(0);
    expect(call).toHaveBeenLastCalledWith({ seat: 1, kind });
    vi.advanceTimersByTime(1100);
    expect(call).toHaveBeenLastCalledWith(null);
  });

  it("lays down the special tile that was named", () => {
    const { root, flown } = table({ "hand-1": [], "laid-1": ["5z", "1m", "5z"] });
    new Motion(root, call, sound).play([{ event: "kong_red", seat: 1, tile: "5z" }], 0);
    expect(flown).toEqual([{ spot: "laid-1", code: "5z", delay: 0 }]);
  });

  it("sounds the end as the viewer's own", () => {
    const ends = (deltas: number[], me: number) => {
      sound.mockReset();
      new Motion(table({}).root, call, sound).play([{ event: "end", deltas }], me);
      vi.runAllTimers();
      return sound.mock.calls[0]![0] as string;
    };
    expect([ends([3, -3], 0), ends([3, -3], 1), ends([0, 0], 0), ends([3, -3], -1)]).toEqual([
      "win",
      "lose",
      "flip",
      "flip",
    ]);
  });

  it("moves nothing where motion is unwelcome, and still sounds", () => {
    still = true;
    const { root, flown } = table({ "hand-1": [], "river-1": ["2m"] });
    new Motion(root, call, sound).play([{ event: "discard", seat: 1 }], 0);
    vi.runAllTimers();
    expect(flown).toEqual([]);
    expect(sound).toHaveBeenCalledWith("place");
  });

  it("finishes what runs when a newer view comes", () => {
    const { root, finished } = table({ "hand-1": [], "river-1": ["2m"] });
    const motion = new Motion(root, call, sound);
    motion.play([{ event: "discard", seat: 1 }], 0);
    motion.play([], 0);
    expect(finished).toHaveBeenCalledTimes(1);
    vi.runAllTimers();
    expect(sound).not.toHaveBeenCalled();
  });

  it("deals the viewer's hand tile by tile", () => {
    const { root, flown } = table({ "hand-2": ["1m", "2m", "3m"] });
    new Motion(root, call, sound).play([{ event: "start" }], 2);
    expect(flown.map((one) => one.delay)).toEqual([0, 24, 48]);
  });
});
