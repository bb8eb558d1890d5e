// The settlement in words: the factors behind each payment, after the server has decided it.
// Amounts that count are the server's deltas; where the factors do not lead there, they are left out.

import type { Lang } from "../contract";
import { tileName } from "./tiles";
import type { Code, Meld, Options, Outcome, Special, View } from "./types";
import { MELDS, word, type Key } from "./words";

export interface Payment {
  from: number;
  to: number;
  /** What is multiplied, in words; the numbers stand at their ends. */
  factors: string[];
  /** Before caps. */
  raw: number;
  paid: number;
  /** "capped", "golden", or "" where raw is what is paid. */
  limit: "capped" | "golden" | "";
}

export interface Settlement {
  payments: Payment[];
  golden: number | null;
}

const BASE = 10;

/** Whose discard or added tile was won on; null for an own draw. */
export function payerOf(view: View): number | null {
  const way = view.result?.win_way;
  const kind = way === "DISCARD" ? "DISCARD" : way === "ROB_KONG" ? "KONG_SUPPLEMENT" : null;
  return view.history.findLast((entry) => entry.type === kind)?.seat ?? null;
}

export function goldenOf(options: Options): number {
  return options.cap + (options.kou_kou_fan === "on" ? 200 : 100);
}

/** The payments of a finished hand, or none where they cannot be told from the view. */
export function settle(view: View, names: string[], lang: Lang): Settlement {
  const end = view.result;
  if (!end) return { payments: [], golden: null };
  return end.winner === null ? settleDraw(view, end, names, lang) : settleWin(view, end, end.winner, names, lang);
}

function settleWin(view: View, end: Outcome, winner: number, names: string[], lang: Lang): Settlement {
  const big = end.types.filter((t) => t !== "SOFT_WIN" && t !== "HARD_WIN").length;
  const payer = payerOf(view);
  const payments: Payment[] = [];
  for (let seat = 0; seat < view.seats; seat++) {
    if (seat === winner) continue;
    const factors: string[] = [];
    let raw = 1;
    const times = (n: number, key: Key, parts: Record<string, string | number> = {}) => {
      raw *= n;
      factors.push(word(key, lang, { n, ...parts }));
    };
    if (big > 0) times(BASE * big, "f_big");
    else times(1, "f_small");
    times(end.fans[winner]!, "f_fan", { who: names[winner]! });
    times(end.fans[seat]!, "f_fan", { who: names[seat]! });
    if (end.types.includes("HARD_WIN")) times(2, "f_hard");
    if (end.win_way === "SELF_DRAW") times(big > 0 ? 1.5 : 2, "f_self");
    if (end.win_way === "DISCARD" && seat === payer) times(big > 0 ? 1.5 : 2, "f_gun");
    if (big === 0 && (winner === view.dealer || seat === view.dealer)) times(2, "f_dealer");
    payments.push({ from: seat, to: winner, factors, raw, paid: raw, limit: "" });
  }
  const full = payments.every((p) => p.raw >= view.options.cap);
  const golden = goldenOf(view.options);
  for (const p of payments) {
    if (full) p.paid = view.options.golden_mode === "raise" ? golden : Math.min(p.raw, golden);
    else p.paid = Math.min(p.raw, view.options.cap);
    if (p.paid !== p.raw) p.limit = full ? "golden" : "capped";
  }
  const total = payments.reduce((sum, p) => sum + p.paid, 0);
  return total === end.deltas[winner] ? { payments, golden: full ? golden : null } : { payments: [], golden: null };
}

function settleDraw(view: View, end: Outcome, names: string[], lang: Lang): Settlement {
  if (view.options.flow_settlement === "off" || !end.ready) return { payments: [], golden: null };
  const cap = view.options.flow_cap;
  const payments: Payment[] = [];
  const sums = end.deltas.map(() => 0);
  for (let to = 0; to < view.seats; to++) {
    for (let from = 0; from < view.seats; from++) {
      if (!end.ready[to] || end.ready[from]) continue;
      const factors = [to, from].map((k) => word("f_fan", lang, { who: names[k]!, n: end.fans[k]! }));
      let raw = end.fans[to]! * end.fans[from]!;
      if (!isOpen(view.melds[from]!)) {
        raw *= 2;
        factors.push(word("f_unopened", lang));
      }
      const paid = cap >= 0 ? Math.min(raw, cap) : raw;
      payments.push({ from, to, factors, raw, paid, limit: paid === raw ? "" : "capped" });
      sums[to]! += paid;
      sums[from]! -= paid;
    }
  }
  return sums.every((sum, k) => sum === end.deltas[k]) ? { payments, golden: null } : { payments: [], golden: null };
}

/** Whether a seat has opened: some meld is not a concealed kong. */
export function isOpen(melds: Meld[]): boolean {
  return melds.some((meld) => meld.type !== "KONG_CONCEALED");
}

/** What makes up a seat's multiplier, one line each. */
export function fanLines(view: View, seat: number, lang: Lang): { what: string; times: number }[] {
  const lines: { what: string; times: number }[] = [];
  let opened = false;
  for (const meld of view.melds[seat]!) {
    const what = `${MELDS[meld.type][lang]} ${meld.tiles ? tileName(meld.tiles[0]!, lang) : ""}`;
    if (meld.type === "KONG_CONCEALED") {
      lines.push({ what, times: 4 });
      continue;
    }
    const opening = view.options.kou_kou_fan === "on" || !opened ? 2 : 1;
    opened = true;
    lines.push({ what, times: opening * (meld.type === "CHOW" || meld.type === "PONG" ? 1 : 2) });
  }
  for (const { tile, special, count, times } of laidGroups(view, seat)) {
    const many = count > 1 ? ` (${word("tiles", lang, { n: count })})` : "";
    lines.push({ what: `${word(`kong_${special}`, lang)} ${tileName(tile, lang)}${many}`, times });
  }
  return lines;
}

/** Special kongs of a seat by kind, with what they multiply together. */
export function laidGroups(view: View, seat: number): { tile: Code; special: Special; count: number; times: number }[] {
  const groups = new Map<Code, number>();
  for (const tile of view.special_kongs[seat]!) groups.set(tile, (groups.get(tile) ?? 0) + 1);
  return [...groups].map(([tile, count]) => {
    const special = tile === view.laizi ? "laizi" : view.skins.includes(tile) ? "skin" : "red";
    return { tile, special, count, times: (special === "laizi" ? 4 : 2) ** count };
  });
}
