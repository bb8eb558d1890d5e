import { beforeEach, afterEach, describe, expect, it, vi } from "vitest";
import { Socket, type Link } from "./socket";

/** Unpacking that ends when the test says so. */
const unpacking: { resolve: (text: string) => void; reject: (error: Error) => void }[] = [];
vi.mock("./packed", () => ({
  unpack: () => new Promise<string>((resolve, reject) => unpacking.push({ resolve, reject })),
}));

/** A WebSocket whose other end is the test. */
class FakeSocket {
  static CONNECTING = 0;
  static OPEN = 1;
  static CLOSED = 3;
  static all: FakeSocket[] = [];
  static get last(): FakeSocket {
    return FakeSocket.all.at(-1)!;
  }
  readyState = FakeSocket.CONNECTING;
  sent: string[] = [];
  onopen: () => void = () => {};
  onmessage: (event: { data: string | ArrayBuffer }) => void = () => {};
  onclose: (event: { code: number }) => void = () => {};
  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }
  send = (text: string): void => void this.sent.push(text);
  close = (code = 1006): void => {
    this.readyState = FakeSocket.CLOSED;
    this.onclose({ code });
  };
  open(): void {
    this.readyState = FakeSocket.OPEN;
    this.onopen();
  }
}

interface Hello {
  type: string;
}

describe("Socket", () => {
  let lines: [Link, number][];
  let heard: Hello[];
  let version: number;
  let online: EventTarget;

  beforeEach(() => {
    vi.useFakeTimers();
    vi.spyOn(Math, "random").mockReturnValue(0.5); // waits are exactly as long as stated
    FakeSocket.all = [];
    unpacking.length = 0;
    lines = [];
    heard = [];
    version = 1;
    online = new EventTarget();
    vi.stubGlobal("WebSocket", FakeSocket);
    vi.stubGlobal("window", globalThis);
    vi.stubGlobal("location", { protocol: "http:", host: "table.example" });
    vi.stubGlobal("addEventListener", online.addEventListener.bind(online));
    vi.stubGlobal("removeEventListener", online.removeEventListener.bind(online));
  });
  afterEach(() => vi.useRealTimers());

  const make = async (after: Promise<unknown> = Promise.resolve()) => {
    const socket = new Socket<Hello, Hello>(
      {
        path: () => `/ws?since=${version}`,
        message: (message) => heard.push(message),
        line: (line, code) => lines.push([line, code]),
      },
      after,
    );
    await vi.advanceTimersByTimeAsync(0);
    return socket;
  };

  it("dials only after it is allowed to", async () => {
    let allow = (): void => {};
    await make(new Promise<void>((resolve) => (allow = resolve)));
    expect(FakeSocket.all).toHaveLength(0);
    allow();
    await vi.advanceTimersByTimeAsync(0);
    expect(FakeSocket.last.url).toBe("ws://table.example/ws?since=1");
  });

  it("is encrypted where the page is", async () => {
    vi.stubGlobal("location", { protocol: "https:", host: "table.example" });
    await make();
    expect(FakeSocket.last.url).toMatch(/^wss:/);
  });

  it("sends only while the line is open, and says so", async () => {
    const socket = await make();
    expect(socket.send({ type: "a" })).toBe(false);
    FakeSocket.last.open();
    expect(lines).toEqual([["open", 0]]);
    expect(socket.send({ type: "b" })).toBe(true);
    expect(FakeSocket.last.sent).toEqual(['{"type":"b"}']);
  });

  it("answers a ping itself and hands on everything else", async () => {
    await make();
    FakeSocket.last.open();
    FakeSocket.last.onmessage({ data: '{"type":"ping"}' });
    FakeSocket.last.onmessage({ data: '{"type":"state"}' });
    expect(FakeSocket.last.sent).toEqual(['{"type":"pong"}']);
    expect(heard).toEqual([{ type: "state" }]);
  });

  it("hears packed messages and those behind them in their order", async () => {
    await make();
    FakeSocket.last.open();
    const packed = new ArrayBuffer(1);
    for (const data of [packed, '{"type":"b"}', packed, '{"type":"d"}']) FakeSocket.last.onmessage({ data });
    unpacking[1]!.resolve('{"type":"c"}');
    await vi.advanceTimersByTimeAsync(0);
    expect(heard).toEqual([]);
    unpacking[0]!.resolve('{"type":"a"}');
    await vi.advanceTimersByTimeAsync(0);
    expect(heard.map((message) => message.type).join("")).toBe("abcd");
    FakeSocket.last.onmessage({ data: '{"type":"e"}' });
    expect(heard.at(-1)).toEqual({ type: "e" }); // at once again
  });

  it("reconnects if a message cannot be unpacked, and hears nothing of a lost line", async () => {
    await make();
    FakeSocket.last.open();
    FakeSocket.last.onmessage({ data: new ArrayBuffer(1) });
    unpacking[0]!.reject(new Error("damaged"));
    await vi.advanceTimersByTimeAsync(0);
    expect(lines.at(-1)).toEqual(["lost", 1006]);
    await vi.advanceTimersByTimeAsync(400);
    expect(FakeSocket.all).toHaveLength(2);
    FakeSocket.last.open();
    FakeSocket.last.onmessage({ data: new ArrayBuffer(1) });
    FakeSocket.last.close();
    await vi.advanceTimersByTimeAsync(400);
    unpacking[1]!.resolve('{"type":"late"}');
    await vi.advanceTimersByTimeAsync(0);
    expect(heard).toEqual([]);
  });

  it("dials again after a loss, from the newest version, and waits longer each time", async () => {
    await make();
    FakeSocket.last.open();
    version = 7;
    FakeSocket.last.close();
    expect(lines.at(-1)).toEqual(["lost", 1006]);
    await vi.advanceTimersByTimeAsync(399);
    expect(FakeSocket.all).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(FakeSocket.last.url).toMatch(/since=7$/);
    FakeSocket.last.close();
    await vi.advanceTimersByTimeAsync(799);
    expect(FakeSocket.all).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(FakeSocket.all).toHaveLength(3);
  });

  it("waits ten seconds at most, and the first wait again after a success", async () => {
    await make();
    for (let failure = 0; failure < 12; failure++) {
      FakeSocket.last.close();
      await vi.advanceTimersByTimeAsync(10_000);
    }
    expect(FakeSocket.all).toHaveLength(13);
    FakeSocket.last.open();
    FakeSocket.last.close();
    await vi.advanceTimersByTimeAsync(400);
    expect(FakeSocket.all).toHaveLength(14);
  });

  it("dials at once when the network is back", async () => {
    await make();
    FakeSocket.last.close();
    online.dispatchEvent(new Event("online"));
    expect(FakeSocket.all).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(FakeSocket.all).toHaveLength(2); // the waiting attempt is dropped
  });

  it.each([4401, 4403, 4404, 4409])("gives up when the server closes with %i", async (code) => {
    await make();
    FakeSocket.last.open();
    FakeSocket.last.close(code);
    expect(lines.at(-1)).toEqual(["closed", code]);
    online.dispatchEvent(new Event("online"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(FakeSocket.all).toHaveLength(1);
  });

  it("takes a line that is silent for a minute for lost", async () => {
    await make();
    FakeSocket.last.open();
    await vi.advanceTimersByTimeAsync(59_000);
    FakeSocket.last.onmessage({ data: '{"type":"ping"}' });
    await vi.advanceTimersByTimeAsync(59_000);
    expect(lines.at(-1)).toEqual(["open", 0]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(lines.at(-1)).toEqual(["lost", 1006]);
  });

  it("stays closed when it is closed from here", async () => {
    const socket = await make();
    FakeSocket.last.open();
    socket.close();
    online.dispatchEvent(new Event("online"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(FakeSocket.all).toHaveLength(1);
    expect(lines).toEqual([["open", 0]]);
  });
});
