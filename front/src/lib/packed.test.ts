import { beforeEach, describe, expect, it, vi } from "vitest";

const packed = (text: string): Promise<ArrayBuffer> =>
  new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("deflate"))).arrayBuffer();

describe("packed messages", () => {
  let unpack: (data: ArrayBuffer) => Promise<string>;
  let unpacks: () => boolean;

  beforeEach(async () => {
    vi.resetModules();
    vi.unstubAllGlobals();
    ({ unpack, unpacks } = await import("./packed"));
  });

  it("are the text that was packed", async () => {
    const text = `{"names":"${"小明,Ann,あき,".repeat(5000)}"}`;
    expect(await unpack(await packed(text))).toBe(text);
    expect(unpacks()).toBe(true);
  });

  it("are not asked for again after one was damaged", async () => {
    const damaged = (await packed("x".repeat(1000))).slice(0, 9);
    await expect(unpack(damaged)).rejects.toThrow();
    expect(unpacks()).toBe(false);
  });

  it("are refused if they are too large", async () => {
    const large = await packed("x".repeat((4 << 20) + 1));
    await expect(unpack(large)).rejects.toThrow("too large");
    expect(unpacks()).toBe(false);
  });

  it("are not asked for where the browser cannot unpack", () => {
    vi.stubGlobal("DecompressionStream", undefined);
    expect(unpacks()).toBe(false);
  });
});
