// Events in words: the sentences of src/qipai/games/xianqi/words.py, and Japanese.

import type { GameEvent, Lang } from "../contract";
import { CERAMIC, ENOUGH } from "./stake";
import type { XianqiEvent } from "./types";
import { comboName, counted, coverName, fill, inside, signed } from "./words";

const SENTENCES: Record<Lang, Record<string, string>> = {
  zh: {
    start: "发牌完毕。",
    play: "{seat}出{cards}。",
    lead: "{seat}领出{cards}。",
    cover: "{seat}垫{cards}。",
    buckle: "{seat}扣棋：到此为止？先问{first}，再问{second}。",
    reveal: "{seat}掀棋：继续打！{buckler}必须领出。",
    "reveal/enough": "{seat}已够仍掀棋：{buckler}必须领出。",
    pass: "{seat}不掀。",
    "pass/open": "{seat}不扣。",
    round: "{seat}赢下本回合：得{gain}，共{total}{mark}。",
    "end/ceramic": "本局结束：{seat}有{total}，成瓷。",
    "end/two_enough": "本局结束：已有两家够棋。",
    "end/exhausted": "本局结束：八柱已尽。",
    "end/buckled": "无人掀棋，本局到此结束。",
    "end/black": "黑棋：有一手牌无士无相，本局不计。",
    "pay/enough": "{seat}付{to} {chips}：不足三柱，对方够棋。",
    "pay/ceramic": "{seat}付{to} {chips}：对方六柱以上，成瓷。",
    "pay/eight": "{seat}付{to} {chips}：对方八柱全收。",
    "pay/liable": "{seat}包赔{to} {chips}：成瓷的回合由{by}掀起。",
    "pay/reveal": "{seat}付{to} {chips}：掀了{to}的扣，却没够棋。",
    "barred/revealed": "{seat}够棋后还掀，不收够棋的筹码。",
    "barred/unbuckled": "{seat}够棋不扣，不收够棋的筹码。",
    spared: "{seat}终局够棋，掀{buckler}不用付。",
    settlement: "筹码：{payoff}。",
  },
  en: {
    start: "The pieces are dealt.",
    play: "{seat} [play|plays] {cards}.",
    lead: "{seat} [lead|leads] {cards}.",
    cover: "{seat} [cover|covers] {cards}.",
    buckle: "{seat} [buckle|buckles]: stop here? Asked first: {first}, then {second}.",
    reveal: "{seat} [reveal|reveals]: no, play on! {buckler} must lead.",
    "reveal/enough": "{seat} [reveal|reveals] although already enough: {buckler} must lead.",
    pass: "{seat} [pass|passes].",
    "pass/open": "{seat} [do|does] not buckle.",
    round: "{seat} [win|wins] the round: +{gain}, {pillars} now{mark}.",
    "end/ceramic": "The game ends: {seat} [are|is] ceramic with {total}.",
    "end/two_enough": "The game ends: two seats have enough.",
    "end/exhausted": "The game ends: all eight pillars are taken.",
    "end/buckled": "Nobody reveals: the game ends here.",
    "end/black": "Black chess: a hand without any shi or xiang. Nobody pays.",
    "pay/enough": "{seat} [pay|pays] {to} {chips}: below 3 pillars against enough.",
    "pay/ceramic": "{seat} [pay|pays] {to} {chips}: 6 pillars or more, ceramic.",
    "pay/eight": "{seat} [pay|pays] {to} {chips}: all eight pillars.",
    "pay/liable": "{seat} [pay|pays] {to} {chips} for both losers: the reveal by {by} led to ceramic.",
    "pay/reveal": "{seat} [pay|pays] {to} {chips}: revealed against {to} and stayed below 3 pillars.",
    "barred/revealed": "{seat} [get|gets] no chips for enough: revealed although already enough.",
    "barred/unbuckled": "{seat} [get|gets] no chips for enough: had enough and led without buckling.",
    spared: "{seat} ended with 3 pillars or more: the reveal against {buckler} costs nothing.",
    settlement: "Chips: {payoff}.",
  },
  ja: {
    start: "駒が配られました。",
    play: "{seat}が{cards}を出しました。",
    lead: "{seat}が{cards}で始めました。",
    cover: "{seat}が{cards}を伏せました。",
    buckle: "{seat}が扣：ここで止める？ まず{first}、次に{second}に問います。",
    reveal: "{seat}が掀：続行！ {buckler}が出さなければなりません。",
    "reveal/enough": "{seat}は够なのに掀。{buckler}が出さなければなりません。",
    pass: "{seat}は掀しません。",
    "pass/open": "{seat}は扣しません。",
    round: "{seat}がラウンドを取り、{gain}を獲得。合計{total}{mark}。",
    "end/ceramic": "終了：{seat}が{total}で瓷になりました。",
    "end/two_enough": "終了：二人が够になりました。",
    "end/exhausted": "終了：八柱すべてが取られました。",
    "end/buckled": "誰も掀せず、ここで終了です。",
    "end/black": "黒棋：士も相もない手があり、この回は点の移動なし。",
    "pay/enough": "{seat}→{to} {chips}：三柱に届かず、相手は够。",
    "pay/ceramic": "{seat}→{to} {chips}：相手は六柱以上の瓷。",
    "pay/eight": "{seat}→{to} {chips}：相手が八柱を独占。",
    "pay/liable": "{seat}→{to} {chips}：{by}の掀が瓷を招いたので二人分を払います。",
    "pay/reveal": "{seat}→{to} {chips}：{to}の扣を掀したが三柱に届かず。",
    "barred/revealed": "{seat}は够なのに掀したため、够の点を受け取れません。",
    "barred/unbuckled": "{seat}は够なのに扣しなかったため、够の点を受け取れません。",
    spared: "{seat}は三柱に届いたので、{buckler}への掀は無料です。",
    settlement: "点数：{payoff}。",
  },
};

const MARKS: Record<Lang, { enough: string; ceramic: string }> = {
  zh: { enough: "，够了", ceramic: "，成瓷" },
  en: { enough: ", enough", ceramic: ", ceramic" },
  ja: { enough: "、够に到達", ceramic: "、瓷に到達" },
};

/** One event as a sentence for the log; "" for what is unknown here. */
export function tellEvent(raw: GameEvent, lang: Lang, names: string[]): string {
  const event = raw as unknown as XianqiEvent;
  const text = SENTENCES[lang][keyOf(event)];
  if (text === undefined) return "";
  const sentence = fill(text, values(event, lang, names), names[subjectOf(event)]);
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function keyOf(event: XianqiEvent): string {
  switch (event.event) {
    case "play":
      return event.lead ? "lead" : "play";
    case "reveal":
      return event.was_enough ? "reveal/enough" : "reveal";
    case "pass":
      return event.asked ? "pass" : "pass/open";
    case "pay":
      return event.liable ? "pay/liable" : `pay/${event.why}`;
    case "barred":
      return `barred/${event.why}`;
    case "end":
      return `end/${event.reason}`;
    default:
      return event.event;
  }
}

function subjectOf(event: XianqiEvent): number {
  if (event.event === "round") return event.winner;
  if (event.event === "end") return event.pillars.indexOf(Math.max(...event.pillars));
  return "seat" in event ? event.seat : 0;
}

function values(event: XianqiEvent, lang: Lang, names: string[]): Record<string, string | number> {
  const who = subjectOf(event);
  const named = (seat: number) => inside(names[seat] ?? "");
  const found: Record<string, string | number> = { seat: names[who] ?? "", by: named(who) };
  if (event.event === "end") found["seat"] = named(who);
  if ("to" in event) found["to"] = named(event.to);
  if ("buckler" in event)
    found["buckler"] = event.event === "reveal" ? (names[event.buckler] ?? "") : named(event.buckler);
  if (event.event === "play") found["cards"] = comboName(event.cards, lang);
  if (event.event === "cover")
    found["cards"] = event.cards ? coverName(event.cards, lang) : counted(event.count, "piece", lang);
  if (event.event === "buckle") [found["first"], found["second"]] = event.asked.map(named) as [string, string];
  if (event.event === "pay") found["chips"] = counted(event.chips, "chip", lang);
  if (event.event === "round" || event.event === "end") {
    const total = event.pillars[who]!;
    found["pillars"] = total;
    found["total"] = counted(total, "pillar", lang);
    if (event.event === "round") {
      found["gain"] = counted(event.kind, "pillar", lang);
      found["mark"] = mark(total - event.kind, total, lang);
    }
  }
  if (event.event === "settlement") {
    found["payoff"] = event.payoff.map((n, seat) => `${names[seat]} ${signed(n)}`).join(lang === "en" ? ", " : "，");
  }
  return found;
}

/** What a seat becomes by winning a round. */
function mark(before: number, now: number, lang: Lang): string {
  if (before < CERAMIC && now >= CERAMIC) return MARKS[lang].ceramic;
  return before < ENOUGH && now >= ENOUGH ? MARKS[lang].enough : "";
}
