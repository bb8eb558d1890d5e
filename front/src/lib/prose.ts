// The rules' plain text (a small, safe part of Markdown) as blocks; nothing here makes HTML.

export interface Span {
  kind: "text" | "strong" | "em" | "code";
  text: string;
  /** Code in bold: the marks around it. */
  bold?: true;
}
export type Block =
  | { kind: "heading"; level: 2 | 3 | 4; text: Span[] }
  | { kind: "paragraph"; text: Span[] }
  | { kind: "list"; ordered: boolean; start: number; items: Span[][] }
  | { kind: "table"; head: Span[][]; rows: Span[][][] }
  | { kind: "code"; text: string }
  | { kind: "figure"; name: string; text: Span[] };

/** Bold, code and links (their words alone) within a line. */
export function spans(line: string): Span[] {
  const found: Span[] = [];
  const plain = line.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  const mark = /\*\*(.+?)\*\*|`([^`]+)`|\*(?=\S)([^*]+?)\*/g;
  let at = 0;
  for (const hit of plain.matchAll(mark)) {
    if (hit.index > at) found.push({ kind: "text", text: plain.slice(at, hit.index) });
    if (hit[1] !== undefined) found.push(...bold(hit[1]));
    else if (hit[2] !== undefined) found.push({ kind: "code", text: hit[2] });
    else found.push({ kind: "em", text: hit[3]! });
    at = hit.index + hit[0].length;
  }
  if (at < plain.length) found.push({ kind: "text", text: plain.slice(at) });
  return found;
}

/** Bold words, with the code among them. */
function bold(words: string): Span[] {
  const parts = words.split(/`([^`]+)`/); // every second part is code
  return parts
    .map((text, i): Span => (i % 2 ? { kind: "code", text, bold: true } : { kind: "strong", text }))
    .filter(({ text }) => text !== "");
}

// A line break is a space, except between characters of languages that use none.
const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef“”‘’…—]/u;
function join(before: string, after: string): string {
  const ends = [...before].at(-1) ?? "";
  const starts = [...after][0] ?? "";
  return SPACELESS.test(ends) && SPACELESS.test(starts) ? before + after : `${before} ${after}`;
}

// A worked example: its name, and the words under it.
const FIGURE = /^!\[(.*)\]\(example:(\w+)\)$/;
const ITEM = /^\s*(?:([-*•])|(\d+)[.)])\s+(.*)$/;
const cells = (line: string): Span[][] =>
  line
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => spans(cell.trim()));

export function blocks(text: string): Block[] {
  const found: Block[] = [];
  const lines = text.split(/\r?\n/);
  let paragraph: string[] = [];
  const flush = () => {
    if (paragraph.length > 0) found.push({ kind: "paragraph", text: spans(paragraph.reduce(join)) });
    paragraph = [];
  };
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const heading = /^(#{1,6})\s+(.*)$/.exec(line);
    const item = ITEM.exec(line);
    const figure = FIGURE.exec(line);
    if (line.startsWith("```")) {
      flush();
      const from = ++i;
      while (i < lines.length && !lines[i]!.startsWith("```")) i++;
      found.push({ kind: "code", text: lines.slice(from, i).join("\n") });
    } else if (figure) {
      flush();
      found.push({ kind: "figure", name: figure[2]!, text: spans(figure[1]!) });
    } else if (heading) {
      flush();
      found.push({
        kind: "heading",
        level: Math.min(4, heading[1]!.length + 1) as 2 | 3 | 4,
        text: spans(heading[2]!),
      });
    } else if (line.trimStart().startsWith("|")) {
      flush();
      const rows: Span[][][] = [];
      for (; i < lines.length && lines[i]!.trimStart().startsWith("|"); i++)
        if (!/^[\s|:-]+$/.test(lines[i]!)) rows.push(cells(lines[i]!));
      i--;
      found.push({ kind: "table", head: rows[0] ?? [], rows: rows.slice(1) });
    } else if (item) {
      flush();
      const ordered = item[2] !== undefined;
      const last = found.at(-1);
      let words = item[3]!;
      while (i + 1 < lines.length && /^\s{2,}\S/.test(lines[i + 1]!) && !ITEM.test(lines[i + 1]!))
        words = join(words, lines[++i]!.trim());
      if (last?.kind === "list" && last.ordered === ordered) last.items.push(spans(words));
      else found.push({ kind: "list", ordered, start: Number(item[2] ?? 1), items: [spans(words)] });
    } else if (line.trim() === "") flush();
    else paragraph.push(line.trim());
  }
  flush();
  return found;
}
