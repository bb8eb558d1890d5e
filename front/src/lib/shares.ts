// The exchange before a deal: this page's share of the seed, and the check of everyone's when the hand is over.
import type { SharesInfo, SharesMessage } from "./wire";
import { commit, fromHex, hash, text, toHex } from "./verify";

const MOST = 40; // hands remembered
const KEY = "qipai.shares";

/** What this page did before one hand. */
interface Own {
  server: string; // the commitment of the server when this page first answered
  seat: number;
  secret: string; // 32 random bytes in hexadecimal
  sent: boolean; // revealed
  taken: boolean; // and the server has confirmed it
}

export type Answer =
  { type: "commit"; hand: number; commitment: string } | { type: "reveal"; hand: number; reveal: string };

/** What can be wrong with a deal, worst first. */
export type Fault = "mine" | "server" | "share" | "seed";

function read(): Record<string, Own> {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "{}") as Record<string, Own>;
  } catch {
    return {};
  }
}

const owns = new Map<string, Own>(Object.entries(read()));

function keep(table: string, hand: number, own: Own): void {
  owns.set(`${table}/${hand}`, own);
  while (owns.size > MOST) owns.delete(owns.keys().next().value!);
  try {
    sessionStorage.setItem(KEY, JSON.stringify(Object.fromEntries(owns))); // a page that is loaded again goes on
  } catch {
    // remembered until the page is closed
  }
}

/** The commitment of a seat to its share; it holds for this commitment of the server only. */
export const shareCommitment = (server: string, seat: number, secret: string): Promise<string> =>
  hash(text(`qipai/1/share/${server}/${seat}/`), fromHex(secret));

/** The seed of a hand, from all shares that were revealed. */
export const combined = (seed: string, seats: SharesInfo["seats"]): Promise<string> =>
  hash(
    text("qipai/1/combine"),
    fromHex(seed),
    ...seats.flatMap(({ seat, reveal }) => (reveal === null ? [] : [Uint8Array.of(seat), fromHex(reveal)])),
  );

/** What this page answers, if it is asked. Once it has revealed, it takes part in no other exchange for the hand. */
export async function answer(table: string, message: SharesMessage, seat: number): Promise<Answer | null> {
  const { hand, phase, shares } = message;
  const asked = shares.seats.find((share) => share.seat === seat);
  if (!asked || (phase !== "commit" && phase !== "reveal")) return null;
  let own = owns.get(`${table}/${hand}`);
  const other = own && (own.server !== shares.commitment || own.seat !== seat);
  if (own && other && own.sent) return null;
  if (phase === "commit") {
    if (!own || other) {
      const secret = toHex(crypto.getRandomValues(new Uint8Array(32)));
      keep(table, hand, (own = { server: shares.commitment, seat, secret, sent: false, taken: false }));
    }
    const commitment = await shareCommitment(shares.commitment, seat, own.secret);
    return asked.commitment === commitment ? null : { type: "commit", hand, commitment };
  }
  if (asked.reveal !== null) return null;
  if (!own || other || asked.commitment !== (await shareCommitment(shares.commitment, seat, own.secret))) return null;
  keep(table, hand, { ...own, sent: true });
  return { type: "reveal", hand, reveal: own.secret };
}

/** Notes that the server has confirmed this page's share. */
export function confirmed(table: string, hand: number): void {
  const own = owns.get(`${table}/${hand}`);
  if (own) keep(table, hand, { ...own, taken: true });
}

/** Checks a hand that is over: its seed must come from shares that were committed to, this page's among them. */
export async function check(table: string, hand: number, shares: SharesInfo, seed: string): Promise<Fault | null> {
  const own = owns.get(`${table}/${hand}`);
  if (own?.sent) {
    if (own.server !== shares.commitment) return "server";
    const found = shares.seats.find((share) => share.seat === own.seat)?.reveal ?? null;
    if (found === null ? own.taken : found !== own.secret) return "mine";
  }
  if (shares.seed === null || (await commit(shares.seed)) !== shares.commitment) return "server";
  for (const { seat, commitment, reveal } of shares.seats)
    if (reveal !== null && (await shareCommitment(shares.commitment, seat, reveal)) !== commitment) return "share";
  return (await combined(shares.seed, shares.seats)) === seed ? null : "seed";
}
