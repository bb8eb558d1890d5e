// All requests to the server. Every error is a `Refusal` with the server's stable code.
import type {
  Blocked,
  Guest,
  History,
  Lesson,
  MyTable,
  NewTable,
  Opened,
  Problem,
  Reach,
  Replay,
  SigningKeys,
} from "./wire";

import { comfort } from "./comfort.svelte";

export class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

async function ask(path: string, body?: unknown): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(
      path,
      body === undefined
        ? { credentials: "same-origin" }
        : {
            method: "POST",
            credentials: "same-origin",
            headers: { "content-type": "application/json" },
            body: JSON.stringify(body),
          },
    );
  } catch {
    throw new Refusal("offline", "the server does not answer");
  }
  if (answer.ok) return answer;
  let problem: Partial<Problem> = {};
  try {
    problem = (await answer.json()) as Problem;
  } catch {
    // not JSON: use the status alone
  }
  throw new Refusal(problem.code ?? `http/${answer.status}`, problem.message ?? answer.statusText);
}

const json = async <T>(path: string, body?: unknown): Promise<T> => (await (await ask(path, body)).json()) as T;

export const me = (): Promise<Guest> => json("/api/me");
export const rename = (name: string): Promise<Guest> => json("/api/me", { name });
/** Opens a table; bots play at the pace that this browser prefers. */
export const openTable = (table: Partial<NewTable> & { game: string }): Promise<Opened> =>
  json("/api/tables", comfort.bots === "normal" ? table : { pace: comfort.bots, ...table });
export const renew = (): Promise<Guest> => json("/api/renew", {});
export const logout = (): Promise<unknown> => json("/api/logout", {});
export const blocks = (): Promise<Blocked[]> => json("/api/blocks");
export const unblock = (id: number): Promise<Blocked[]> => json("/api/unblock", { id });
export const history = (before = ""): Promise<History> =>
  json(`/api/history${before ? `?before=${encodeURIComponent(before)}` : ""}`);
/** Your unfinished tables; the server wakes those of `sat` where you still have a seat. */
export const mine = (sat: string[]): Promise<MyTable[]> => json(`/api/mine?tables=${sat.join(",")}`);
export const lesson = (game: string): Promise<Lesson> => json(`/api/lessons/${encodeURIComponent(game)}`);
export const rules = async (game: string, lang: string): Promise<string> =>
  (await ask(`/api/rules/${encodeURIComponent(game)}?lang=${lang}`)).text();
export const replay = (table: string, hand: number, start: number, count: number): Promise<Replay> =>
  json(`/api/tables/${encodeURIComponent(table)}/replay/${hand}?start=${start}&count=${count}`);

/** Where other machines of the network may open this server. */
export const reach = async (): Promise<string[]> => (await json<Reach>("/api/reach")).addresses;

export const signingKeys = (): Promise<SigningKeys> => json("/.well-known/qipai-key.json");

/** Where a record can be downloaded, as JSON lines for `qipai replay` and `qipai verify`. */
export const recordPath = (table: string, hand: number): string =>
  `/api/tables/${encodeURIComponent(table)}/record/${hand}`;
