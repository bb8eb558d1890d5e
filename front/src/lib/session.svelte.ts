// One visit to one table: its socket, what was received so far, and the requests to it.
import type { GameEvent } from "../tables/contract";
import type { Chat, FromClient, FromServer, State, TableInfo } from "./wire";
import { refusal, t } from "./i18n";
import { firstCommitment } from "./commitments";
import { type Told, told } from "./log";
import { Describing } from "./describing.svelte";
import { Socket, type Link } from "./socket";
import type { Line } from "./message";
import * as sound from "./sound";
import { known, note } from "./state.svelte";

const QUIET_CATCH_UP = 8; // more missed events than this are not animated
const MOST_CHAT = 200;

type Request = FromClient extends infer M ? (M extends { ref?: number } ? Omit<M, "ref"> : never) : never;

export class Session {
  line: Link = $state("joining");
  closed: number = $state(0); // the code with which the server closed the connection
  info: TableInfo | null = $state.raw(null);
  you: number = $state(-1);
  state: State | null = $state.raw(null);
  motion: GameEvent[] = $state.raw([]); // what led to `state`, to be animated
  motionLines: (Line | null)[] = $state.raw([]); // the log lines of `motion`
  tick: number = $state(0);
  log: Told[] = $state.raw([]); // of the current hand
  chat: Chat[] = $state.raw([]);
  progress: number | null = $state(null);
  acting: boolean = $state(false); // a move has been sent
  deadline: number | null = $state(null); // of the current decision, by performance.now()

  commitment: string = $state(""); // of the current hand, as first received

  readonly describing = new Describing((request) => this.post(request)); // for games without a drawing

  private readonly socket: Socket<FromServer, FromClient>;
  private refs = 0;
  private acts = new Set<number>();
  private fresh = true; // nothing has arrived since the connection opened

  constructor(readonly id: string) {
    this.socket = new Socket<FromServer, FromClient>(
      {
        path: () => {
          const { hand, version } = this.state ?? { hand: -1, version: 0 };
          return `/ws/table/${encodeURIComponent(id)}${hand < 0 ? "" : `?since=${version}&hand=${hand}`}`;
        },
        line: (line, code) => {
          this.line = line;
          if (line === "open") {
            this.fresh = true;
            this.chat = []; // the server sends the last lines again
            this.describing.reset();
          }
          if (line === "closed") this.closed = code;
        },
        message: (message) => this.hear(message),
      },
      known,
    );
  }

  close(): void {
    this.describing.reset();
    this.socket.close();
  }

  /** Sends a request; the answer, done or refused, carries its `ref`. */
  ask(request: Request): number {
    const ref = this.post(request);
    if (ref === 0) note(t("reconnecting"), "bad");
    return ref;
  }

  private post(request: Request): number {
    const ref = ++this.refs;
    return this.socket.send({ ...request, ref } as FromClient) ? ref : 0;
  }

  act(actions: number[]): void {
    if (!this.state || this.acting || this.state.legal.length === 0) return;
    const ref = this.ask({ type: "act", hand: this.state.hand, version: this.state.version, actions });
    if (ref === 0) return;
    this.acts.add(ref);
    this.acting = true;
  }

  private hear(message: FromServer): void {
    switch (message.type) {
      case "table":
        this.info = message.table;
        this.you = message.you;
        break;
      case "state":
        this.see(message);
        break;
      case "described":
        this.describing.hear(message);
        break;
      case "chat":
        this.chat = [...this.chat, message].slice(-MOST_CHAT);
        break;
      case "progress":
        this.progress = message.progress;
        break;
      case "done":
        this.settle(message.ref);
        break;
      case "refused":
        if (this.describing.refuse(message.ref, message.code)) break;
        this.settle(message.ref);
        sound.play("error");
        note(refusal(message.code), "bad");
    }
  }

  /** The state after a move may arrive before or after its `done`; either unlocks the table. */
  private settle(ref: number): void {
    this.acts.delete(ref);
    this.acting = this.acts.size > 0;
  }

  private see(next: State): void {
    const before = this.state;
    const heard = before?.hand === next.hand && before.seat === next.seat ? this.log : [];
    this.log = [...heard.slice(0, next.version - next.events.length), ...told(next)];
    const caughtUp = this.fresh && next.events.length > QUIET_CATCH_UP;
    this.motion = caughtUp ? [] : next.events;
    this.motionLines = caughtUp ? [] : told(next).map(({ line }) => line);
    if (this.fresh || before?.hand !== next.hand || before.version !== next.version) {
      this.acts.clear();
      this.acting = false;
    }
    this.fresh = false;
    this.progress = null;
    this.commitment = firstCommitment(this.id, next.hand, next.commitment);
    this.deadline = next.clock ? performance.now() + next.clock.left : null;
    this.state = next;
    this.tick++;
  }
}
