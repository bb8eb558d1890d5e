// Tiles and actions by number: codes, order, names, and which tiles an action lays down.

import type { Lang } from "../contract";
import type { Code, Special, View } from "./types";

const SUITS = "mspz";
export const RED: Code = "5z";

// The numbers of src/qipai/games/wuhan_mahjong/tiles.py
export const CHOW = 34;
export const PONG = 37;
export const EXPOSED = 38;
export const SUPPLEMENT = 39;
export const CONCEALED = 73;
export const KONG_RED = 107;
export const KONG_LAIZI = 108;
export const KONG_SKIN = 109;
export const WIN = 111;
export const PASS = 112;

export function kindOf(code: Code): number {
  return SUITS.indexOf(code[1]!) * 9 + Number(code[0]) - 1;
}

export function codeOf(kind: number): Code {
  return `${(kind % 9) + 1}${SUITS[Math.floor(kind / 9)]}`;
}

const DIGITS = "一二三四五六七八九";
const HONOURS: Record<Lang, string[]> = {
  zh: ["东风", "南风", "西风", "北风", "红中", "发财", "白板"],
  en: ["East", "South", "West", "North", "Red", "Green", "White"],
  ja: ["東", "南", "西", "北", "中", "發", "白"],
};
const SUIT_NAMES: Record<Lang, [string, string, string]> = {
  zh: ["万", "条", "筒"],
  en: ["characters", "bamboo", "dots"],
  ja: ["萬", "索", "筒"],
};

/** A tile in words. */
export function tileName(code: Code, lang: Lang): string {
  const rank = Number(code[0]);
  if (code[1] === "z") return HONOURS[lang][rank - 1]!;
  const suit = SUIT_NAMES[lang][SUITS.indexOf(code[1]!)]!;
  return lang === "en" ? `${rank} ${suit}` : `${DIGITS[rank - 1]}${suit}`;
}

export function tileNames(codes: Code[], lang: Lang): string {
  return codes.map((code) => tileName(code, lang)).join(lang === "en" ? ", " : "、");
}

/** Which special kind a tile is in this hand, or null. */
export function specialOf(code: Code, view: Pick<View, "laizi" | "skins">): Special | null {
  if (code === RED) return "red";
  if (code === view.laizi) return "laizi";
  return view.skins.includes(code) ? "skin" : null;
}

/** The kong that lays a special tile. */
export function kongOf(code: Code, view: Pick<View, "laizi" | "skins">): number {
  if (code === RED) return KONG_RED;
  if (code === view.laizi) return KONG_LAIZI;
  return KONG_SKIN + view.skins.indexOf(code);
}

/** A hand as it stands: special tiles first, the drawn tile (if any) left out. */
export function arrange(hand: Code[], drawn: Code | null, view: Pick<View, "laizi" | "skins">): Code[] {
  const rest = [...hand];
  if (drawn !== null) {
    const at = rest.lastIndexOf(drawn);
    if (at >= 0) rest.splice(at, 1);
  }
  const place = (code: Code) => {
    const special = specialOf(code, view);
    const group = special === "laizi" ? 0 : special === "skin" ? 1 : special === "red" ? 2 : 3;
    return group * 100 + kindOf(code);
  };
  return rest.sort((a, b) => place(a) - place(b));
}

/** The tiles that an action brings together, and which of them is the claimed one (-1: none). */
export function tilesOf(action: number, view: View): { tiles: Code[]; claimed: number } {
  const asked = view.claimed?.tile ?? null;
  if (action >= CHOW && action < PONG && asked !== null) {
    const at = action - CHOW;
    const low = kindOf(asked) - at;
    return { tiles: [low, low + 1, low + 2].map(codeOf), claimed: at };
  }
  if (action === PONG && asked !== null) return { tiles: [asked, asked, asked], claimed: 0 };
  if (action === EXPOSED && asked !== null) return { tiles: [asked, asked, asked, asked], claimed: 0 };
  if (action >= SUPPLEMENT && action < CONCEALED)
    return { tiles: Array<Code>(4).fill(codeOf(action - SUPPLEMENT)), claimed: -1 };
  if (action >= CONCEALED && action < KONG_RED)
    return { tiles: Array<Code>(4).fill(codeOf(action - CONCEALED)), claimed: -1 };
  if (action === KONG_RED) return { tiles: [RED], claimed: -1 };
  if (action === KONG_LAIZI) return { tiles: [view.laizi], claimed: -1 };
  if (action === KONG_SKIN || action === KONG_SKIN + 1)
    return { tiles: [view.skins[action - KONG_SKIN]!], claimed: -1 };
  if (action === WIN) {
    const tile = asked ?? view.drawn ?? null;
    return { tiles: tile === null ? [] : [tile], claimed: asked === null ? -1 : 0 };
  }
  return { tiles: [], claimed: -1 };
}

/** How many copies of a kind the viewer has not seen yet. */
export function unseen(code: Code, view: View): number {
  let seen = view.indicator === code ? 1 : 0;
  const count = (codes: Code[]) => codes.filter((c) => c === code).length;
  for (let seat = 0; seat < view.seats; seat++) {
    seen += count(view.rivers[seat]!) + count(view.special_kongs[seat]!);
    for (const meld of view.melds[seat]!) seen += meld.tiles ? count(meld.tiles) : 0;
  }
  return 4 - seen - count(view.hand ?? []);
}
