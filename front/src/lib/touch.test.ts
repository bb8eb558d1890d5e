import { expect, it, vi } from "vitest";
import { isTouch } from "./touch";

/** Stubs a device whose main pointer can hover or not, and is fine or coarse. */
const device = (hover: string, pointer: string) =>
  vi.stubGlobal("matchMedia", (query: string) => {
    const wanted = [...query.matchAll(/\((\w+): (\w+)\)/g)].map(([, name, value]) => [name, value]);
    return { matches: wanted.every(([name, value]) => value === (name === "hover" ? hover : pointer)) };
  });

it.each([
  ["a telephone", "none", "coarse", true],
  ["a mouse", "hover", "fine", false],
  ["a pen that cannot hover", "none", "fine", false],
  ["a screen with both", "hover", "coarse", false],
])("%s", (_, hover, pointer, touch) => {
  device(hover, pointer);
  expect(isTouch()).toBe(touch);
});
