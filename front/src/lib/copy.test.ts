import { beforeEach, expect, it, vi } from "vitest";

const { note } = vi.hoisted(() => ({ note: vi.fn() }));
vi.mock("./state.svelte", () => ({ app: { lang: "en" }, note }));

import en from "../messages/en.json";
import { copy } from "./copy";

const field = { value: "", select: vi.fn(), remove: vi.fn() };
const page = { createElement: vi.fn(() => field), execCommand: vi.fn(), body: { append: vi.fn() } };

beforeEach(() => {
  vi.clearAllMocks();
  field.value = "";
  vi.stubGlobal("document", page);
});

it("uses the clipboard, and says so", async () => {
  const writeText = vi.fn(async () => undefined);
  vi.stubGlobal("navigator", { clipboard: { writeText } });
  await copy("seed");
  expect(writeText).toHaveBeenCalledWith("seed");
  expect(page.execCommand).not.toHaveBeenCalled();
  expect(note).toHaveBeenCalledWith(en.copied);
});

it.each([
  ["there is no clipboard over http", {}],
  ["the clipboard refuses", { clipboard: { writeText: () => Promise.reject(new Error("denied")) } }],
])("falls back to the older command where %s", async (_, navigator) => {
  vi.stubGlobal("navigator", navigator);
  const seen: string[] = [];
  page.execCommand.mockImplementation((command: string) => seen.push(`${command} ${field.value}`));
  await copy("seed");
  expect(seen).toEqual(["copy seed"]);
  expect(field.select).toHaveBeenCalledBefore(page.execCommand);
  expect(field.remove).toHaveBeenCalledAfter(page.execCommand);
  expect(note).toHaveBeenCalledWith(en.copied);
});
