import { render } from "svelte/server";
import { expect, it } from "vitest";
import type { Lang } from "../contract";
import Result from "./Result.svelte";
import type { View } from "./types";
import { bySeat, word } from "./words";

const NAMES = ["Ann", "Bo", "Cy", "Di"];
const payment = (from: number) => ({
  from,
  to: 0,
  factors: [{ of: "fan" as const, seat: from, n: 2 }],
  raw: 4,
  paid: 4,
  limit: null,
});
const view = (viewer: number): View =>
  ({
    viewer,
    dealer: 0,
    specials: {},
    melds: [[], [], [], []],
    options: { cap: 300, flow_cap: -1, flow_settlement: "on", golden_mode: "limit" },
    result: {
      winner: 0,
      from: 1,
      types: [],
      substitutes: null,
      contractor: 1,
      ready: null,
      fans: [2, 2, 2, 2],
      deltas: [12, -12, 0, 0],
      tile: null,
      payments: [payment(1), payment(2), payment(3)],
      headline: ["end.contract", { payer: bySeat(1) }],
      golden: null,
    },
  }) as unknown as View;

/** A hand that nobody won: the sheet lists who was ready. */
const flow = (viewer: number): View => {
  const won = view(viewer);
  const result = { ...won.result!, winner: null, from: null, contractor: null, ready: [true, false, false, false] };
  const headline = ["end.flow", { ready: { list: [bySeat(0)] } }];
  return { ...won, result: { ...result, headline } } as unknown as View;
};

/** Everything that the sheet says. */
function said(viewer: number, lang: Lang, end = view): string {
  const { body } = render(Result, {
    props: {
      view: end(viewer),
      hands: [null, null, null, null],
      waits: [["1m"], [], [], []],
      names: NAMES,
      reader: { names: NAMES, viewer },
      lang,
      focus: false,
      close: () => undefined,
    },
  });
  return body;
}

it.each<Lang>(["zh", "en", "ja"])("calls the viewer you, and never by name: %s", (lang) => {
  for (const viewer of [0, 1, 2])
    for (const end of [view, flow]) {
      const text = said(viewer, lang, end);
      expect(text).toContain(word("table.you", lang));
      expect(text).not.toContain(NAMES[viewer]);
      for (const other of NAMES.filter((_, seat) => seat !== viewer)) expect(text).toContain(other);
    }
});

it("calls everyone by name before a watcher", () => {
  const text = said(-1, "zh");
  for (const name of NAMES) expect(text).toContain(name);
  expect(text).not.toContain("你");
});
