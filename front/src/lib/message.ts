// Sentences from message files, filled in like `qipai.core.message`; tests/core/message_cases.json checks both.
//
// A text is a small subset of ICU MessageFormat: {name}, {n, plural, =0 {..} one {# card} other {# cards}},
// {by, select, you {..} other {..}}, {by, whose}, {chips, signed}.

import type { Lang } from "../tables/contract";

/** A key with its values. */
export type Line = [key: string, values: Values];
export type Values = Record<string, Value>;
export type Value = number | string | { seat: number } | { list: Value[] } | Line;

/** The texts of one language, by key. */
export type Texts = Record<string, string>;
export type Files = Record<Lang, Texts>;

/** Who reads: names by seat, and the seat that is "you". */
export interface Reader {
  names?: string[];
  viewer?: number;
}

type Part = string | Field;
interface Field {
  name: string;
  form: string;
  cases: Record<string, Part[]>;
}

const FORMS = ["", "plural", "select", "whose", "signed"];
const NAME = /\s*([A-Za-z_]\w*)\s*/y;
const CASE = /\s*(=\d+|[\w.-]+)\s*\{/y;
const parsed = new Map<string, Part[]>();

/** The parts of a text; throws if it is malformed. */
export function parseText(text: string): Part[] {
  let found = parsed.get(text);
  if (!found) {
    const [parts, end] = parse(text, 0, 0);
    if (end !== text.length) throw new Error(`message "${text}": a closing brace without an opening one`);
    found = parts;
    parsed.set(text, found);
  }
  return found;
}

function parse(text: string, start: number, depth: number): [Part[], number] {
  const parts: Part[] = [];
  let at = start;
  while (at < text.length && text[at] !== "}") {
    if (text[at] === "{") {
      const [field, end] = parseField(text, at + 1, depth);
      parts.push(field);
      at = end;
    } else {
      const end = text.slice(at).search(/[{}]/);
      const next = end < 0 ? text.length : at + end;
      parts.push(text.slice(at, next));
      at = next;
    }
  }
  return [parts, at];
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Parses the text after an opening brace, up to and including the matching closing brace. */
function parseField(text: string, start: number, depth: number): [Field, number] {
  const fault = new Error(`message "${text}": malformed placeholder at ${start}`);
  const name = match(NAME, text, start);
  if (!name || depth > 3) throw fault;
  let at = start + name[0].length;
  let form = "";
  const cases: Record<string, Part[]> = {};
  if (text[at] === ",") {
    const kind = match(NAME, text, at + 1);
    if (!kind || !FORMS.includes(kind[1]!)) throw fault;
    form = kind[1]!;
    at += 1 + kind[0].length;
  }
  if (form === "plural" || form === "select") {
    if (text[at] !== ",") throw fault;
    at += 1;
    for (let found = match(CASE, text, at); found; found = match(CASE, text, at)) {
      const [body, end] = parse(text, at + found[0].length, depth + 1);
      if (text[end] !== "}") throw fault;
      cases[found[1]!] = body;
      at = end + 1;
    }
    if (!cases["other"]) throw new Error(`message "${text}": ${name[1]} has no case "other"`);
    while (/\s/.test(text[at] ?? "")) at += 1;
  }
  if (text[at] !== "}") throw fault;
  return [{ name: name[1]!, form, cases }, at + 1];
}

const isSeat = (value: Value): value is { seat: number } => typeof value === "object" && "seat" in value;
const isList = (value: Value): value is { list: Value[] } => typeof value === "object" && "list" in value;

/** A gain or a loss with its sign: +2, −1, 0. */
export const signed = (n: number): string => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0");

/** The sentences of one package; `common` holds those that all packages share. */
export class Messages {
  constructor(
    private readonly files: Partial<Files>,
    private readonly common: Messages | null = null,
  ) {}

  find(key: string, lang: Lang): string | undefined {
    return this.files[lang]?.[key] ?? this.files.en?.[key] ?? this.common?.find(key, lang);
  }

  /** A line in words. */
  tell(line: Line, lang: Lang, reader: Reader = {}): string {
    return this.line(line, lang, reader, true);
  }

  /** Returns a line as text; `opening` says that it starts a sentence. */
  private line(line: Line, lang: Lang, reader: Reader, opening: boolean): string {
    const [key, values] = line;
    const text = this.find(key, lang);
    if (text === undefined) throw new Error(`there is no message "${key}"`);
    return this.fill(parseText(text), values, lang, reader, null, opening);
  }

  say(key: string, lang: Lang, values: Values = {}, reader: Reader = {}): string {
    return this.tell([key, values], lang, reader);
  }

  private fill(
    parts: Part[],
    values: Values,
    lang: Lang,
    reader: Reader,
    number: number | null,
    opening: boolean,
  ): string {
    let found = "";
    for (const part of parts) {
      if (typeof part !== "string") found += this.field(part, values, lang, reader, opens(found, opening), number);
      else found += number === null ? part : part.replaceAll("#", String(number));
    }
    return found;
  }

  private field(
    field: Field,
    values: Values,
    lang: Lang,
    reader: Reader,
    first: boolean,
    number: number | null,
  ): string {
    const value = values[field.name];
    if (value === undefined) throw new Error(`a message uses "${field.name}", which its line does not provide`);
    if (field.form === "plural") {
      const n = Number(value);
      const one = lang === "en" && Math.abs(n) === 1 ? "one" : "other";
      const body = field.cases[`=${n}`] ?? field.cases[one] ?? field.cases["other"]!;
      return this.fill(body, values, lang, reader, n, first);
    }
    if (field.form === "select") {
      const body = field.cases[word(value, reader)] ?? field.cases["other"]!;
      return this.fill(body, values, lang, reader, number, first);
    }
    if (field.form === "signed") return signed(Number(value));
    if (isSeat(value)) {
      return this.seat(value.seat, field.form === "whose" ? "whose" : "who", lang, reader, first);
    }
    return this.value(value, lang, reader, first);
  }

  private value(value: Value, lang: Lang, reader: Reader, first: boolean): string {
    if (Array.isArray(value)) return this.line(value, lang, reader, first);
    if (isSeat(value)) return this.seat(value.seat, "who", lang, reader, first);
    if (isList(value)) {
      return value.list
        .map((item, i) => this.value(item, lang, reader, first && i === 0))
        .join(this.find("list.gap", lang) ?? ", ");
    }
    return String(value);
  }

  /** Returns a seat's name, or its possessive. Names are never capitalised. */
  private seat(seat: number, form: "who" | "whose", lang: Lang, reader: Reader, first: boolean): string {
    const opening = (text: string) => (first ? text.charAt(0).toUpperCase() + text.slice(1) : text);
    if (seat === reader.viewer) return opening(this.say(`you.${form}`, lang));
    const name = reader.names?.[seat] ?? opening(this.say("seat", lang, { n: seat }));
    return form === "who" ? name : this.say("name.whose", lang, { name });
  }
}

/** Whether the text after `before` starts a sentence. */
function opens(before: string, opening: boolean): boolean {
  const text = before.trimEnd();
  return text ? /[.!?。！？]$/.test(text) : opening;
}

function word(value: Value, reader: Reader): string {
  if (Array.isArray(value)) return value[0];
  if (isSeat(value)) return value.seat === reader.viewer ? "you" : "other";
  return String(value);
}
