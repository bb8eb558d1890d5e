import { describe, expect, it, vi } from "vitest";
import { commit, fromHex, toHex, verify } from "./verify";

const SEED = "00ff10203040506070809000112233445566778899aabbccddeeff0123456789";
// printf qipai/1/commit | cat - seed | sha256sum
const COMMITMENT = "03bb1b233ab7b4f4291c2868e329f5f426c863c7271b69c5d801ecc0c88ba771";

describe("hexadecimal", () => {
  it("reads what it writes", () => {
    expect(toHex(fromHex("00ff7A"))).toBe("00ff7a");
    expect(toHex(fromHex(""))).toBe("");
  });

  it.each(["0", "0g", "00 1", "0x00"])("refuses %j", (text) => {
    expect(() => fromHex(text)).toThrow("not hexadecimal");
  });
});

describe("commit", () => {
  it("hashes the label and the seed's bytes", async () => {
    expect(await commit(SEED)).toBe(COMMITMENT);
  });

  it("gives the same where the browser offers no digest (a page over http)", async () => {
    vi.stubGlobal("crypto", {});
    expect(await commit(SEED)).toBe(COMMITMENT);
  });
});

describe("verify", () => {
  it("accepts the seed that was committed to, in either case of letters, and no other", async () => {
    expect(await verify(COMMITMENT, SEED)).toBe(true);
    expect(await verify(COMMITMENT.toUpperCase(), SEED.toUpperCase())).toBe(true);
    expect(await verify(COMMITMENT, `${SEED.slice(0, -1)}8`)).toBe(false);
  });
});
