// A WebSocket that reconnects: it waits longer after each failure, and says which version it has.

import { unpack } from "./packed";

export type Link = "joining" | "open" | "lost" | "closed";

/** Closed permanently: another attempt would get the same answer. */
const FINAL = new Set([4401, 4403, 4404, 4409, 4410]);
const FIRST_WAIT = 400;
const LONGEST_WAIT = 10_000;
const SILENCE = 60_000; // the server pings more often than this

export interface Hears<In> {
  /** Returns the path; called at every attempt, so that it has the newest version. */
  path: () => string;
  message: (message: In) => void;
  line: (line: Link, code: number) => void;
}

export class Socket<In extends { type: string }, Out extends { type: string }> {
  private socket: WebSocket | null = null;
  private timer = 0;
  private watch = 0;
  private failures = 0;
  private ended = false;

  /** Connects after `after` resolves: a newcomer's cookie comes first, so that the server knows the guest. */
  constructor(
    private readonly hears: Hears<In>,
    after: Promise<unknown>,
  ) {
    this.dial = this.dial.bind(this);
    void after.then(() => {
      addEventListener("online", this.dial);
      this.dial();
    });
  }

  /** Returns whether the message was sent; it is lost while the connection is down. */
  send(message: Out): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  close(): void {
    this.ended = true;
    removeEventListener("online", this.dial);
    clearTimeout(this.timer);
    clearTimeout(this.watch);
    this.socket?.close();
  }

  private dial(): void {
    const state = this.socket?.readyState;
    if (this.ended || state === WebSocket.OPEN || state === WebSocket.CONNECTING) return;
    clearTimeout(this.timer);
    const socket = new WebSocket(
      `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${this.hears.path()}`,
    );
    this.socket = socket;
    socket.onopen = () => {
      this.failures = 0;
      this.hears.line("open", 0);
      this.stillThere();
    };
    socket.binaryType = "arraybuffer";
    const hear = (text: string): void => {
      const message = JSON.parse(text) as In;
      if (message.type === "ping") socket.send('{"type":"pong"}');
      else this.hears.message(message);
    };
    let waiting = 0; // messages behind a packed one, which keep their order
    let last: Promise<void> = Promise.resolve();
    const hearLater = async (before: Promise<void>, data: string | ArrayBuffer): Promise<void> => {
      try {
        const text = typeof data === "string" ? data : await unpack(data);
        await before;
        if (this.socket === socket && !this.ended) hear(text);
      } catch {
        socket.close(); // the next attempt asks for plain messages
      } finally {
        waiting--;
      }
    };
    socket.onmessage = (event) => {
      this.stillThere();
      const data = event.data as string | ArrayBuffer;
      if (typeof data === "string" && waiting === 0) return hear(data);
      waiting++;
      last = hearLater(last, data);
    };
    socket.onclose = (event) => {
      if (this.socket !== socket || this.ended) return;
      clearTimeout(this.watch);
      if (FINAL.has(event.code)) {
        this.ended = true;
        this.hears.line("closed", event.code);
        return;
      }
      this.hears.line("lost", event.code);
      const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.failures++);
      this.timer = window.setTimeout(this.dial, wait * (0.7 + 0.6 * Math.random()));
    };
  }

  /** A connection that has been silent for too long is dead, whatever the browser says. */
  private stillThere(): void {
    clearTimeout(this.watch);
    this.watch = window.setTimeout(() => this.socket?.close(), SILENCE);
  }
}
