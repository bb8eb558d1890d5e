"""Mermaid sequence diagrams as pictures (SVG), so that the site needs no script to draw them.

Only what our pages use: `participant A as text`, `A->>B: text` and `A-->>B: text`.
"""

from __future__ import annotations

import re
from html import escape

PARTICIPANT = re.compile(r"^participant (\w+) as (.+)$")
MESSAGE = re.compile(r"^(\w+)(--?>>)(\w+): (.+)$")
COLUMN, ROW, TOP = 150, 34, 50
SIZE = 13  # of the text, in pixels


def draw(source: str) -> str:
    """Return a sequence diagram as SVG in the colours of the page; raise ValueError for anything else."""
    lines = [line.strip() for line in source.strip().splitlines()]
    if not lines or lines[0] != "sequenceDiagram":
        raise ValueError("only sequence diagrams are drawn")
    names: dict[str, str] = {}
    messages: list[tuple[str, str, str, str]] = []
    for line in lines[1:]:
        if found := PARTICIPANT.match(line):
            names[found[1]] = found[2]
        elif found := MESSAGE.match(line):
            messages.append((found[1], found[2], found[3], found[4]))
        elif line:
            raise ValueError(f"a sequence diagram has no line {line!r}")
    return _svg(names, messages)


def _svg(names: dict[str, str], messages: list[tuple[str, str, str, str]]) -> str:
    middle = {name: COLUMN * k + COLUMN // 2 for k, name in enumerate(names)}
    width, height = COLUMN * len(names) + 90, TOP + ROW * (len(messages) + 1)
    parts = [
        f'<svg class="sequence" viewBox="0 0 {width} {height}" width="{width}" role="img" '
        f'aria-label="Sequence diagram" font-size="{SIZE}" xmlns="http://www.w3.org/2000/svg">'
    ]
    for name, text in names.items():
        x = middle[name]
        parts.append(f'<line class="life" x1="{x}" y1="32" x2="{x}" y2="{height}"/>')
        parts.append(f'<rect x="{x - 70}" y="4" width="140" height="28" rx="4"/>')
        parts.append(f'<text x="{x}" y="23" text-anchor="middle">{escape(_short(text))}</text>')
    for k, (source, arrow, target, text) in enumerate(messages):
        parts += _message(middle[source], middle[target], TOP + ROW * k + 22, text, arrow.startswith("--"))
    return "".join([*parts, "</svg>"])


def _message(x: int, to: int, y: int, text: str, dashed: bool) -> list[str]:
    kind = "answer" if dashed else "call"
    if x == to:
        line = f'<path class="{kind}" d="M{x} {y - 8}h22v12h-18"/>'
        tip, label, anchor = to + 2, x + 28, "start"
        head = f'<path class="head" d="M{tip} {y + 4}l8 -4v8z"/>'
        return [line, head, f'<text x="{label}" y="{y + 2}" text-anchor="{anchor}">{escape(text)}</text>']
    side = 1 if to > x else -1
    line = f'<line class="{kind}" x1="{x}" y1="{y}" x2="{to - 6 * side}" y2="{y}"/>'
    head = f'<path class="head" d="M{to} {y}l{-8 * side} -4v8z"/>'
    return [line, head, f'<text x="{(x + to) // 2}" y="{y - 5}" text-anchor="middle">{escape(text)}</text>']


def _short(text: str) -> str:
    return text if len(text) <= 21 else text[:20] + "…"
