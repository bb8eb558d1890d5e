// The words of a rules page around its examples.
import type { GuideValue } from "../tables/contract";
import type { Span } from "./prose";

/** A caption with the values of its example: `{points}` is the value of that name, somebody is called by name. */
export function fill(text: Span[], values: Record<string, GuideValue>, names: string[] = []): Span[] {
  const show = (value: GuideValue | undefined, whole: string) =>
    value === undefined
      ? whole
      : typeof value === "number"
        ? String(value).replace("-", "−")
        : (names[value.seat] ?? whole);
  return text.map((span) => ({
    ...span,
    text: span.text.replace(/\{(\w+)\}/g, (whole, name: string) => show(values[name], whole)),
  }));
}
