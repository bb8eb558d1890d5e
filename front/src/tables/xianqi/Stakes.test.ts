import { render } from "svelte/server";
import { expect, it } from "vitest";
import { BUCKLE, PASS, REVEAL } from "./pieces";
import { sample } from "./sample";
import Stakes from "./Stakes.svelte";
import type { View } from "./types";

/** The actions that are drawn as the main button. */
function main(view: View, legal: number[]): number[] {
  const reader = { names: ["Zoe", "Lan", "Bo"], viewer: 0 };
  const { body } = render(Stakes, {
    props: { view, seat: 0, reader, legal, hint: [], live: true, lang: "en", act: () => undefined },
  });
  const buttons = [...body.matchAll(/<button[^>]*>/g)].map(([tag]) => tag);
  expect(buttons).toHaveLength(legal.length);
  return buttons
    .filter((tag) => /class="[^"]*\bmain\b/.test(tag))
    .map((tag) => Number(/data-action="(\d+)"/.exec(tag)![1]));
}

it("does not make the buckle the main button without pillars", () => {
  expect(main(sample({ pillars: [0, 3, 0] }), [BUCKLE, PASS])).toEqual([]);
  expect(main(sample({ pillars: [1, 0, 0] }), [BUCKLE, PASS])).toEqual([BUCKLE]);
});

it("makes the reveal the main button, whatever the pillars", () => {
  const asked = sample({ phase: "reveal_decision", buckler: 1, pending: [0] });
  expect(main(asked, [REVEAL, PASS])).toEqual([REVEAL]);
});
