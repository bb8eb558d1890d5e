// One visit to one table: its socket, what was received so far, and the requests to it.
import type { GameEvent } from "../tables/contract";
import type { Chat, FromClient, FromServer, Report, SharesMessage, State, TableInfo } from "./wire";
import { personName, refusal, t } from "./i18n";
import { clocksOf } from "./clocks";
import { firstCommitment } from "./commitments";
import { type Told, told } from "./log";
import { Describing } from "./describing.svelte";
import { hush, isHushed } from "./hush";
import { answer, confirmed } from "./shares";
import { Socket, type Link } from "./socket";
import type { Line } from "./message";
import * as sound from "./sound";
import { pseudonym } from "./pseudonym";
import { app, known, note } from "./state.svelte";

const QUIET_CATCH_UP = 8; // more missed events than this are not animated
const MOST_CHAT = 200;

type Request = FromClient extends infer M ? (M extends { ref?: number } ? Omit<M, "ref"> : never) : never;

export type Reason = Report["reason"];

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
  hushed: boolean = $state(false); // this person reads no chat here, now and on later visits
  acting: boolean = $state(false); // a move has been sent
  deadline: number | null = $state(null); // of the current decision, by performance.now()
  turnDeadline: number | null = $state(null); // of the person whose turn it is

  commitment: string = $state(""); // of the current hand, as first received
  shuffling: boolean = $state(false); // the pages are asked for their shares of the next seed
  dealt: SharesMessage | null = $state.raw(null); // the shares of the last hand that was dealt

  readonly describing = new Describing((request) => this.post(request)); // for games without a drawing

  private readonly socket: Socket<FromServer, FromClient>;
  private refs = 0;
  private quiet = new Set<string>(); // writers whose lines are not shown
  private then = new Map<number, () => void>(); // by ref: what to do when a request is carried out
  private acts = new Set<number>();
  private shares = new Map<number, number | null>(); // by ref: the hand for which a share was revealed, if one was
  private fresh = true; // nothing has arrived since the connection opened

  constructor(readonly id: string) {
    this.hushed = isHushed(id);
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
            this.shares.clear();
          }
          if (line === "closed") this.closed = code;
        },
        message: (message) => this.hear(message),
      },
      known,
    );
  }

  /** The clock of each seat. */
  get clocks() {
    if (!this.info) return [];
    return clocksOf(this.info, this.state, this.you, { own: this.deadline, turn: this.turnDeadline });
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

  /** Whether somebody else wrote a line and can be muted, blocked or reported. */
  foreign(line: Chat): boolean {
    return line.who !== "" && line.who !== pseudonym(this.id, app.me?.id ?? "");
  }

  /** Shows no chat at this table, or shows it again. */
  hush(on: boolean): void {
    this.hushed = on;
    hush(this.id, on);
  }

  /** Hides what a writer says at this table, until the page is loaded again. */
  mute(line: Chat): void {
    this.quiet.add(line.who);
    this.chat = this.chat.filter((one) => !this.quiet.has(one.who));
    note(t("muted", { name: personName(line.name) }));
  }

  /** Hides what a writer says at every table, for good. */
  block(line: Chat): void {
    const ref = this.ask({ type: "block", line: line.id });
    this.then.set(ref, () => {
      this.quiet.add(line.who);
      this.chat = this.chat.filter((one) => !this.quiet.has(one.who));
      note(t("blockedNow", { name: personName(line.name) }));
    });
  }

  report(line: Chat, reason: Reason): void {
    const ref = this.ask({ type: "report", line: line.id, reason });
    this.then.set(ref, () => note(t("reported")));
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
      case "shares":
        this.exchange(message);
        break;
      case "state":
        this.see(message);
        break;
      case "described":
        this.describing.hear(message);
        break;
      case "chat":
        if (!this.quiet.has(message.who)) this.chat = [...this.chat, message].slice(-MOST_CHAT);
        break;
      case "done": {
        const hand = this.shares.get(message.ref);
        if (hand !== undefined && hand !== null) confirmed(this.id, hand);
        this.shares.delete(message.ref);
        this.settle(message.ref);
        this.then.get(message.ref)?.();
        this.then.delete(message.ref);
        break;
      }
      case "refused":
        if (this.shares.delete(message.ref)) break; // nothing that a person asked for
        if (this.describing.refuse(message.ref, message.code)) break;
        this.settle(message.ref);
        sound.play("error");
        note(refusal(message.code), "bad");
    }
  }

  /** Contributes to the seed of the next hand, without the person noticing. */
  private exchange(message: SharesMessage): void {
    this.shuffling = message.phase === "commit" || message.phase === "reveal";
    if (this.shuffling) {
      void answer(this.id, message, this.you).then((wish) => {
        if (wish === null) return;
        const ref = this.post(wish);
        if (ref !== 0) this.shares.set(ref, wish.type === "reveal" ? wish.hand : null);
      });
      return;
    }
    const fresh = message.phase === "dealt" && this.dealt?.hand !== message.hand;
    this.dealt = message;
    const own = message.shares.seats.find((share) => share.seat === this.you);
    if (fresh && own && own.reveal === null) note(t("youWithheld"), "bad");
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
    this.commitment = firstCommitment(this.id, next.hand, next.commitment);
    this.deadline = next.clock ? performance.now() + next.clock.left : null;
    this.turnDeadline = next.turn_clock ? performance.now() + next.turn_clock.left : null;
    this.state = next;
    this.tick++;
  }
}
