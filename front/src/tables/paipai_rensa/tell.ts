// Events in words, for the log.

import type { GameEvent, Lang } from "../contract";
import { namesOf } from "./tiles";
import type { Code, Event, Sides } from "./types";

const plus = (n: number): string => `+${n}`;

function held(sides: Sides, lang: Lang, name: string): string {
  const lines: string[] = [];
  if (sides.player.won) {
    const tiles = namesOf([...sides.player.melds!, sides.player.pair!].flat(), lang);
    lines.push(
      {
        zh: `${name} 和牌 ${plus(sides.player.score!)}：${tiles}`,
        en: `${name} completes a hand, ${plus(sides.player.score!)}: ${tiles}`,
        ja: `${name} の和了 ${plus(sides.player.score!)}：${tiles}`,
      }[lang],
    );
  }
  if (sides.cpu.won) {
    const tiles = namesOf(sides.cpu.tiles!, lang);
    lines.push(
      {
        zh: `CPU 和牌 ${plus(sides.cpu.score!)}：${tiles}`,
        en: `The CPU completes a hand, ${plus(sides.cpu.score!)}: ${tiles}`,
        ja: `CPUの和了 ${plus(sides.cpu.score!)}：${tiles}`,
      }[lang],
    );
  }
  return lines.join(lang === "en" ? ". " : "。");
}

function placed(event: Extract<Event, { type: "land" }>, lang: Lang, name: string): string {
  const pair = namesOf([event.axis, event.rotor], lang);
  const lost = (codes: Code[]): string =>
    codes.length
      ? {
          zh: `，压碎 ${namesOf(codes, lang)}`,
          en: `, crushing ${namesOf(codes, lang)}`,
          ja: `、${namesOf(codes, lang)} がつぶれた`,
        }[lang]
      : "";
  const column = event.col + 1;
  return (
    {
      zh: `${name} 把 ${pair} 落在第 ${column} 列`,
      en: `${name}: ${pair} into column ${column}`,
      ja: `${name}：${pair} を${column}列目へ`,
    }[lang] + lost(event.lost)
  );
}

export function tell(given: GameEvent, lang: Lang, names: string[]): string {
  const event = given as unknown as Event;
  const name = names[0] ?? "";
  switch (event.type) {
    case "land":
      return placed(event, lang, name);
    case "clear": {
      const { chain, points } = event;
      const n = event.tiles.length;
      return {
        zh: `${chain} 连锁：消 ${n} 张，${plus(points)}`,
        en: `Chain ${chain}: ${n} tiles vanish, ${plus(points)}`,
        ja: `${chain}連鎖：${n}枚消去、${plus(points)}`,
      }[lang];
    }
    case "allocate": {
      const [kept, gone] = [event.hand.length, event.discards.length];
      return {
        zh: `手牌 ${kept} 张，弃 ${gone} 张`,
        en: `${kept} in hand, ${gone} discarded`,
        ja: `手牌 ${kept}枚、捨て牌 ${gone}枚`,
      }[lang];
    }
    case "hold":
      return held(event, lang, name);
    case "over": {
      const last = held(event, lang, name);
      const score = `${event.playerTotal} : ${event.cpuTotal}`;
      const end = {
        zh: { player: `${name} 胜`, cpu: "CPU 胜", draw: "平局" },
        en: { player: `${name} wins`, cpu: "the CPU wins", draw: "a draw" },
        ja: { player: `${name} の勝ち`, cpu: "CPUの勝ち", draw: "引き分け" },
      }[lang][event.winner];
      const text = { zh: `终局 ${score}，${end}`, en: `Game over ${score}: ${end}`, ja: `終局 ${score}、${end}` }[lang];
      return last ? `${last}${lang === "en" ? ". " : "。"}${text}` : text;
    }
    default:
      return "";
  }
}
