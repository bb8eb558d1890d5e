import { describe, expect, it } from "vitest";
import { blocks, spans } from "./prose";

const text = (words: string) => [{ kind: "text", text: words }];

describe("spans", () => {
  it("finds bold, code and emphasis between plain words", () => {
    expect(spans("a **b** `c` *d* e")).toEqual([
      { kind: "text", text: "a " },
      { kind: "strong", text: "b" },
      { kind: "text", text: " " },
      { kind: "code", text: "c" },
      { kind: "text", text: " " },
      { kind: "em", text: "d" },
      { kind: "text", text: " e" },
    ]);
  });

  it("shows code within bold as code", () => {
    expect(spans("**9.1 掀瓷包瓷 `reveal`。** 若")).toEqual([
      { kind: "strong", text: "9.1 掀瓷包瓷 " },
      { kind: "code", text: "reveal", bold: true },
      { kind: "strong", text: "。" },
      { kind: "text", text: " 若" },
    ]);
  });

  it("keeps the words of a link and drops its address", () => {
    expect(spans("see [the rules](javascript:alert(1)).")).toEqual(text("see the rules)."));
    expect(spans("[a](b) and [c](d)")).toEqual(text("a and c"));
  });

  it("leaves HTML and a lone star as text", () => {
    expect(spans("<b>2 * 3</b>")).toEqual(text("<b>2 * 3</b>"));
  });
});

describe("blocks", () => {
  it("joins the lines of a paragraph, and parts paragraphs at an empty line", () => {
    expect(blocks("one\ntwo\r\n\nthree")).toEqual([
      { kind: "paragraph", text: text("one two") },
      { kind: "paragraph", text: text("three") },
    ]);
  });

  it("joins lines of Chinese and Japanese without a space", () => {
    expect(blocks("操作无法执行时\n视为无效\n（弃置）。\nAPI\n的")).toEqual([
      { kind: "paragraph", text: text("操作无法执行时视为无效（弃置）。 API 的") },
    ]);
    expect(blocks("- カードは\n  山札に戻る")).toEqual([
      { kind: "list", ordered: false, start: 1, items: [text("カードは山札に戻る")] },
    ]);
  });

  it("puts headings one level below the page's own, down to the fourth", () => {
    expect(blocks("# a\n## b\n##### c").map((block) => block.kind === "heading" && block.level)).toEqual([2, 3, 4]);
  });

  it("collects the items of a list, with lines that go on below", () => {
    expect(blocks("- a\n  more\n- b")).toEqual([
      { kind: "list", ordered: false, start: 1, items: [text("a more"), text("b")] },
    ]);
  });

  it("keeps the first number of an ordered list, and starts another list after bullets", () => {
    const found = blocks("3. c\n4) d\n- x");
    expect(found).toEqual([
      { kind: "list", ordered: true, start: 3, items: [text("c"), text("d")] },
      { kind: "list", ordered: false, start: 1, items: [text("x")] },
    ]);
  });

  it("reads a table without its ruling line", () => {
    expect(blocks("| a | b |\n|---|:-:|\n| 1 | 2 |\n\nend")).toEqual([
      { kind: "table", head: [text("a"), text("b")], rows: [[text("1"), text("2")]] },
      { kind: "paragraph", text: text("end") },
    ]);
  });

  it("takes code as it is, up to the fence or the end", () => {
    expect(blocks("```\n# **x**\n```\ny")).toEqual([
      { kind: "code", text: "# **x**" },
      { kind: "paragraph", text: text("y") },
    ]);
    expect(blocks("```\nopen")).toEqual([{ kind: "code", text: "open" }]);
  });

  it("reads an example with the words under it", () => {
    expect(blocks("Before\n![It **pays** 16.](example:small)\nafter")).toEqual([
      { kind: "paragraph", text: [{ kind: "text", text: "Before" }] },
      {
        kind: "figure",
        name: "small",
        text: [
          { kind: "text", text: "It " },
          { kind: "strong", text: "pays" },
          { kind: "text", text: " 16." },
        ],
      },
      { kind: "paragraph", text: [{ kind: "text", text: "after" }] },
    ]);
  });
});
