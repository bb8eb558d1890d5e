import { beforeEach, describe, expect, it, vi } from "vitest";
import type { GameInfo } from "./wire";

const { note, go, openTable } = vi.hoisted(() => ({ note: vi.fn(), go: vi.fn(), openTable: vi.fn() }));
vi.mock("./state.svelte", () => ({ note, app: { lang: "en" } }));
vi.mock("./router", () => ({ go }));
vi.mock("./api", async (real) => ({ ...(await real<typeof import("./api")>()), openTable }));

import { Refusal } from "./api";
import { open, quick, usualAgent, usualSeats } from "./play";

const game = (seats: [number, number], agents: [string, number][]): GameInfo =>
  ({ name: "toy", seats, agents: agents.map(([name, level]) => ({ name, level })) }) as unknown as GameInfo;

beforeEach(() => [note, go, openTable].forEach((mock) => mock.mockReset()));

describe("usualAgent", () => {
  it("is the first level", () => {
    const agents: [string, number][] = [
      ["heuristic", 0],
      ["level2", 2],
      ["level1", 1],
    ];
    expect(usualAgent(game([2, 2], agents))?.name).toBe("level1");
  });

  it("does not play at random in a game without levels", () => {
    const agents: [string, number][] = [
      ["random", 0],
      ["easy", 0],
    ];
    expect(usualAgent(game([2, 2], agents))?.name).toBe("easy");
  });

  it("is the random one where there is no other, and nobody where there is none", () => {
    expect(usualAgent(game([2, 2], [["random", 0]]))?.name).toBe("random");
    expect(usualAgent(game([2, 2], []))).toBeUndefined();
  });
});

describe("usualSeats", () => {
  it("is three, or what the game allows nearest to it", () => {
    expect(usualSeats(game([2, 5], []))).toBe(3);
    expect(usualSeats(game([4, 4], []))).toBe(4);
    expect(usualSeats(game([1, 1], []))).toBe(1);
  });
});

describe("quick", () => {
  it("opens a private table with a bot at every other seat, and goes there", async () => {
    openTable.mockResolvedValue({ table: "abc" });
    expect(await quick(game([4, 4], [["easy", 1]]))).toBe(true);
    const bots = ["easy", "easy", "easy"];
    expect(openTable).toHaveBeenCalledWith({ game: "toy", seats: 4, bots, private: true, options: {} });
    expect(go).toHaveBeenCalledWith("/table/abc");
  });

  it("opens it with the house rules that were chosen", async () => {
    openTable.mockResolvedValue({ table: "abc" });
    await quick(game([1, 1], []), { board: 9 });
    expect(openTable).toHaveBeenCalledWith(expect.objectContaining({ options: { board: 9 } }));
  });

  it("opens a table without bots where the game has none", async () => {
    openTable.mockResolvedValue({ table: "abc" });
    await quick(game([1, 1], []));
    expect(openTable).toHaveBeenCalledWith(expect.objectContaining({ bots: [] }));
  });
});

describe("open", () => {
  it.each([new Refusal("table/limit", "too many"), new Error("anything")])(
    "tells a refusal and stays: %s",
    async (error) => {
      openTable.mockRejectedValue(error);
      expect(await open({ game: "toy" } as never)).toBe(false);
      expect(go).not.toHaveBeenCalled();
      expect(note).toHaveBeenCalledWith(expect.stringMatching(/\w/), "bad");
    },
  );
});
