// Text for a fixed grid: which characters take two columns of it, as in a terminal.

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]+/u;

/** The text in runs of narrow and of wide characters, in turn; the first is narrow and may be empty. */
export function runs(text: string): string[] {
  return text.split(new RegExp(`(${WIDE.source})`, "u"));
}
