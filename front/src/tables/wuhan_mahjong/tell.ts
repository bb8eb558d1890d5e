// An event of `narrate` as one line of the log.

import type { GameEvent, Lang, Words } from "../contract";
import { tileName, tileNames } from "./tiles";
import type { Code, Outcome } from "./types";
import { TYPES, WAYS, word } from "./words";

const LINES: Record<string, Words> = {
  discard: { zh: "{who}打出{tile}", en: "{who} discards {tile}", ja: "{who}が{tile}を切る" },
  chow: {
    zh: "{who}吃{whose}的{tile}：{tiles}",
    en: "{who} chows {tile} from {whose}: {tiles}",
    ja: "{who}が{whose}の{tile}をチー：{tiles}",
  },
  pong: { zh: "{who}碰{whose}的{tile}", en: "{who} pongs {tile} from {whose}", ja: "{who}が{whose}の{tile}をポン" },
  kong_exposed: {
    zh: "{who}杠{whose}的{tile}",
    en: "{who} kongs {tile} from {whose}",
    ja: "{who}が{whose}の{tile}を明カン",
  },
  kong_supplement: { zh: "{who}补杠{tile}", en: "{who} adds {tile} to a kong", ja: "{who}が{tile}を加カン" },
  kong_concealed: { zh: "{who}暗杠{tile}", en: "{who} lays a hidden kong {tile}", ja: "{who}が暗カン{tile}" },
  kong_red: { zh: "{who}红中杠，×2", en: "{who} kongs Red: ×2", ja: "{who}が紅中カン、×2" },
  kong_skin: { zh: "{who}皮子杠{tile}，×2", en: "{who} kongs the skin {tile}: ×2", ja: "{who}が皮カン（{tile}）、×2" },
  kong_lazy: {
    zh: "{who}赖子杠{tile}，×4",
    en: "{who} kongs the wild {tile}: ×4",
    ja: "{who}が頼子カン（{tile}）、×4",
  },
  win: { zh: "{who}胡牌！", en: "{who} wins!", ja: "{who}が和了！" },
  own_draw: { zh: "{who}摸到{tile}", en: "{who} draws {tile}", ja: "{who}が{tile}をツモ" },
  start: { zh: "发牌", en: "The tiles are dealt", ja: "配牌" },
};

/** One event in words; "" for what is not worth a line (others' draws, questions). */
export function tell(event: GameEvent, lang: Lang, names: string[]): string {
  const kind = String(event.event);
  if (kind === "end") return tellEnd(event as unknown as Outcome, lang, names);
  const tile = event.tile as Code | null | undefined;
  const line = LINES[kind === "draw" && tile ? "own_draw" : kind];
  if (!line) return "";
  const parts: Record<string, string> = {
    who: names[event.seat as number] ?? "",
    whose: names[event.from as number] ?? "",
    tile: tile ? tileName(tile, lang) : "",
    tiles: tileNames((event.tiles as Code[] | undefined) ?? [], lang),
  };
  return line[lang].replace(/\{(\w+)\}/g, (_, name: string) => parts[name] ?? "").trim();
}

function tellEnd(end: Outcome, lang: Lang, names: string[]): string {
  const scores = end.deltas.map((d, k) => `${names[k]} ${signed(d)}`).join(lang === "en" ? ", " : "，");
  const stop = lang === "en" ? ". " : "。";
  return `${headline(end, lang, names)}${stop}${scores}`;
}

/** Who won, how, and with what; or that the hand was drawn. */
export function headline(end: Outcome, lang: Lang, names: string[]): string {
  if (end.winner === null || end.win_way === null) return word("draw_title", lang);
  const won = word("wins_by", lang, { who: names[end.winner] ?? "", way: WAYS[end.win_way][lang] });
  const types = end.types.map((t) => TYPES[t].name[lang]);
  return lang === "en" ? `${won}: ${types.join(", ").toLowerCase()}` : `${won}：${types.join("、")}`;
}

export function signed(n: number): string {
  return n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0";
}
