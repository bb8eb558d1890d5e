import { expect, it, vi } from "vitest";

const { store } = vi.hoisted(() => ({ store: new Map<string, string>() }));
vi.mock("./keep", () => ({
  kept: (name: string) => store.get(name) ?? null,
  keep: (name: string, value: string) => void store.set(name, value),
}));
import { hush, isHushed } from "./hush";

it("remembers which tables are muted, the last fifty of them", () => {
  expect(isHushed("a")).toBe(false);
  for (const id of ["a", "b", "a"]) hush(id, true);
  expect([isHushed("a"), isHushed("b"), isHushed("")]).toEqual([true, true, false]);
  hush("a", false);
  expect([isHushed("a"), isHushed("b")]).toEqual([false, true]);
  for (let n = 0; n < 50; n++) hush(`t${n}`, true);
  expect([isHushed("b"), isHushed("t0"), isHushed("t49")]).toEqual([false, true, true]);
});
