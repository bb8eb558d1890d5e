import { beforeEach, describe, expect, it, vi } from "vitest";

const items = new Map<string, string>();
const made = vi.fn();

/** Enough of WebAudio to count what is started. */
class FakeContext {
  state = "running";
  currentTime = 0;
  sampleRate = 8000;
  destination = {};
  resume = vi.fn();
  constructor() {
    made();
  }
  private node = () => {
    const param = { value: 0, setValueAtTime: vi.fn(), exponentialRampToValueAtTime: vi.fn() };
    const node = { frequency: param, gain: param, start: started, stop: vi.fn(), connect: vi.fn() };
    node.connect.mockReturnValue(node);
    return node;
  };
  createOscillator = this.node;
  createGain = this.node;
  createBufferSource = this.node;
  createBiquadFilter = this.node;
  createBuffer = (_channels: number, length: number) => ({ getChannelData: () => new Float32Array(length) });
}
const started = vi.fn();

async function opened(touched: boolean) {
  vi.resetModules();
  vi.stubGlobal("navigator", { userActivation: { hasBeenActive: touched } });
  return import("./sound");
}

beforeEach(() => {
  items.clear();
  [made, started].forEach((mock) => mock.mockReset());
  vi.stubGlobal("AudioContext", FakeContext);
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => items.set(key, value),
  });
});

describe("play", () => {
  it("makes no sound before the first touch", async () => {
    (await opened(false)).play("place");
    expect(made).not.toHaveBeenCalled();
  });

  it("makes no sound while muted, and remembers that", async () => {
    const sound = await opened(true);
    sound.mute(true);
    sound.play("place");
    expect(made).not.toHaveBeenCalled();
    expect((await opened(true)).muted()).toBe(true);
  });

  it("uses one context for every sound, and has each that a table may ask for", async () => {
    const sound = await opened(true);
    const names = ["deal", "place", "flip", "take", "claim", "win", "lose", "chain", "error", "turn"] as const;
    for (const name of names) {
      started.mockReset();
      sound.play(name);
      expect(started, name).toHaveBeenCalled();
    }
    expect(made).toHaveBeenCalledTimes(1);
  });
});
