import { beforeEach, describe, expect, it, vi } from "vitest";
import type { SharesInfo, SharesMessage } from "./wire";

// As Python computes them: tests/match/test_shares.py has the same numbers.
const SERVER = "11".repeat(32);
const COMMITMENT = "ffeac2de17a7478490f14cd0bdd0c0d72a595c9d436ab216b56aa9af8452fdf8";
const SHARE = "22".repeat(32);
const SHARE_COMMITMENT = "6c0135c0c3e7f6c14a49aceee8beb8a23f24e885f1ccd67d7d5c3eeec9b084f4";
const SEED = "8d9f7833f79dc46f057cc344ad0c029144fe4ecb19d7ed4802d159cdac8c256a";

type Module = typeof import("./shares");
let lib: Module;
const fresh = async (): Promise<Module> => {
  vi.resetModules();
  return import("./shares");
};
beforeEach(async () => {
  const kept = new Map<string, string>();
  vi.unstubAllGlobals();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
  lib = await fresh();
});

const message = (phase: SharesMessage["phase"], more: Partial<SharesInfo> = {}, hand = 3): SharesMessage => ({
  type: "shares",
  hand,
  phase,
  shares: { commitment: COMMITMENT, seed: null, seats: [{ seat: 2, commitment: null, reveal: null }], ...more },
});
const over = (reveal: string | null = SHARE, commitment: string | null = SHARE_COMMITMENT): SharesInfo => ({
  commitment: COMMITMENT,
  seed: SERVER,
  seats: [{ seat: 2, commitment, reveal }],
});

/** Takes part in an exchange and returns this page's share. */
async function contribute(hand = 3): Promise<string> {
  const first = await lib.answer("t", message("commit", {}, hand), 2);
  if (first?.type !== "commit") throw new Error("no commitment");
  const seats = [{ seat: 2, commitment: first.commitment, reveal: null }];
  const second = await lib.answer("t", message("reveal", { seats }, hand), 2);
  if (second?.type !== "reveal") throw new Error("nothing revealed");
  expect(first.commitment).toBe(await lib.shareCommitment(COMMITMENT, 2, second.reveal));
  return second.reveal;
}

describe("the formulas", () => {
  it("are those of the server", async () => {
    expect(await lib.shareCommitment(COMMITMENT, 2, SHARE)).toBe(SHARE_COMMITMENT);
    expect(await lib.combined(SERVER, over().seats)).toBe(SEED);
  });

  it("leave out who withheld", async () => {
    const seats = [{ seat: 0, commitment: "x", reveal: null }, ...over().seats];
    expect(await lib.combined(SERVER, seats)).toBe(SEED);
  });
});

describe("a page that is asked", () => {
  it("commits to random bytes and reveals them", async () => {
    expect(await contribute(3)).toMatch(/^[0-9a-f]{64}$/);
    expect(await contribute(4)).not.toBe(await contribute(5));
  });

  it("keeps its share when it is loaded again", async () => {
    const first = await lib.answer("t", message("commit"), 2);
    lib = await fresh();
    expect(await lib.answer("t", message("commit"), 2)).toEqual(first);
  });

  it("says nothing if it is not asked, or has nothing to reveal", async () => {
    expect(await lib.answer("t", message("commit"), 1)).toBeNull();
    expect(await lib.answer("t", message("commit"), -1)).toBeNull();
    expect(await lib.answer("t", message("reveal"), 2)).toBeNull();
    expect(await lib.answer("t", message("dealt"), 2)).toBeNull();
    await lib.answer("t", message("commit"), 2);
    const seats = [{ seat: 2, commitment: "of another page", reveal: null }];
    expect(await lib.answer("t", message("reveal", { seats }), 2)).toBeNull();
  });

  it("does not repeat what has arrived", async () => {
    const first = await lib.answer("t", message("commit"), 2);
    const commitment = first?.type === "commit" ? first.commitment : "";
    expect(await lib.answer("t", message("commit", { seats: [{ seat: 2, commitment, reveal: null }] }), 2)).toBeNull();
    const seats = [{ seat: 2, commitment, reveal: "00" }];
    expect(await lib.answer("t", message("reveal", { seats }), 2)).toBeNull();
  });

  it("takes part in no second exchange for a hand once it has revealed", async () => {
    await contribute();
    expect(await lib.answer("t", message("commit", { commitment: "ff".repeat(32) }), 2)).toBeNull();
  });
});

describe("the check", () => {
  it("accepts what follows from the shares, for a page that took no part as well", async () => {
    expect(await lib.check("t", 3, over(), SEED)).toBeNull();
  });

  it.each<[string, Partial<SharesInfo>]>([
    ["server", { seed: "12".repeat(32) }],
    ["server", { seed: null }],
    ["share", { seats: over("23".repeat(32)).seats }],
    ["seed", { seats: [] }],
  ])("finds a fault: %s", async (fault, more) => {
    expect(await lib.check("t", 3, { ...over(), ...more }, SEED)).toBe(fault);
  });

  it("finds a share of its own that was changed, or left out after it was confirmed", async () => {
    const secret = await contribute();
    expect(await lib.check("t", 3, over(), SEED)).toBe("mine");
    const left = over(null);
    expect(await lib.check("t", 3, left, await lib.combined(SERVER, []))).toBeNull();
    lib.confirmed("t", 3);
    expect(await lib.check("t", 3, left, await lib.combined(SERVER, []))).toBe("mine");
    const own = over(secret, await lib.shareCommitment(COMMITMENT, 2, secret));
    expect(await lib.check("t", 3, own, await lib.combined(SERVER, own.seats))).toBeNull();
    expect(await lib.check("t", 3, { ...own, commitment: "ff".repeat(32) }, SEED)).toBe("server");
  });

  it("works where the page cannot keep anything", async () => {
    vi.stubGlobal("sessionStorage", {
      getItem: () => "{",
      setItem: () => {
        throw new Error("full");
      },
    });
    lib = await fresh();
    expect(await contribute()).toHaveLength(64);
  });
});
