import { describe, expect, it } from "vitest";
import { isLocal } from "./local";

describe("isLocal", () => {
  it("knows the addresses that nobody else can open", () => {
    for (const host of ["localhost", "qipai.localhost", "127.0.0.1", "127.1.2.3", "[::1]"])
      expect(isLocal(host), host).toBe(true);
    for (const host of ["192.168.1.7", "qipai.example", "12.7.0.1", "localhost.example"])
      expect(isLocal(host), host).toBe(false);
  });
});
