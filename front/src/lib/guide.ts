// The words of a rules page around its examples.
import type { Span } from "./prose";

/** A caption with the numbers of its example: `{points}` is the value of that name. */
export function fill(text: Span[], values: Record<string, number>): Span[] {
  return text.map((span) => ({
    ...span,
    text: span.text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole)),
  }));
}
