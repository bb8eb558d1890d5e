// The position in the game's own words, for a table that cannot draw it: one request at a time, the latest.
import type { Lang } from "../tables/contract";
import type { Describe, Described } from "./wire";

const AGAIN = 800; // milliseconds to wait after a rate limit
const PASSING = ["match/stale", "hand/none"]; // a newer state is about to arrive

/** What to describe: a position, a language, and the actions picked so far. */
export interface Place {
  hand: number;
  seat: number;
  version: number;
  lang: Lang;
  picked: number[];
}

const whose = (place: Place): string => `${place.hand} ${place.seat} ${place.lang}`;
const same = (one: number[], other: number[]): boolean => one.join() === other.join();

export class Describing {
  answer: Described | null = $state.raw(null); // the last one
  lines: string[] = $state.raw([]); // what happened in this hand, one line per event
  failed: boolean = $state(false); // not available here: the table does without words

  private wanted: Place | null = null;
  private asked: Place | null = null; // on its way
  private ref = 0;
  private heard = ""; // whose lines they are
  private timer = 0;

  /** `send` returns the number of the request, 0 if there is no connection. */
  constructor(private readonly send: (request: Omit<Describe, "ref">) => number) {}

  want(place: Place): void {
    if (this.wanted?.hand !== place.hand || this.wanted.version !== place.version) this.failed = false;
    this.wanted = place;
    if (this.asked === null) this.ask();
  }

  /** Whether the words belong to exactly this position. */
  fits(hand: number, version: number, picked: number[]): boolean {
    return this.answer?.hand === hand && this.answer.version === version && same(this.answer.picked, picked);
  }

  hear(answer: Described): void {
    if (answer.ref !== this.ref || this.asked === null) return;
    const asked = this.asked;
    this.asked = null;
    this.answer = answer;
    this.lines = [...(this.heard === whose(asked) ? this.lines.slice(0, answer.since) : []), ...answer.log];
    this.heard = whose(asked);
    if (asked !== this.wanted) this.ask();
  }

  /** Whether this refusal answers one of our requests; the player is not told then. */
  refuse(ref: number, code: string): boolean {
    if (ref !== this.ref || this.asked === null) return false;
    const late = this.asked !== this.wanted; // a newer place is waiting
    this.asked = null;
    if (late) this.ask();
    else if (code === "message/rate") this.timer = window.setTimeout(() => this.asked ?? this.ask(), AGAIN);
    else if (!PASSING.includes(code)) this.failed = true;
    return true;
  }

  /** The connection was lost, and answers with it; the next state asks again. */
  reset(): void {
    clearTimeout(this.timer);
    this.asked = null;
    this.wanted = null;
  }

  private ask(): void {
    clearTimeout(this.timer);
    const place = this.wanted;
    if (place === null) return;
    const since = this.heard === whose(place) ? Math.min(this.lines.length, place.version) : 0;
    const { hand, version, lang, picked } = place;
    this.ref = this.send({ type: "describe", hand, version, lang, picked, since });
    if (this.ref !== 0) this.asked = place;
  }
}
