import { describe, expect, it } from "vitest";
import { sha256 } from "./sha256";
import { toHex } from "./verify";

describe("sha256", () => {
  it("gives the digests of FIPS 180-4", () => {
    expect(toHex(sha256(new Uint8Array()))).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect(toHex(sha256(new TextEncoder().encode("abc")))).toBe(
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    );
  });

  it("agrees with the browser's digest at every length around a block's end", async () => {
    for (let length = 0; length <= 200; length++) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 37 + length) % 256);
      expect(sha256(bytes)).toEqual(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
    }
  });
});
