"""Links and anchors of Markdown files: which there are, and which lead nowhere."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+(?:\([^()\s]*\)[^()\s]*)*)\)")
FENCE = re.compile(r"^( *)(```+|~~~+).*?^\1\2 *$", re.M | re.S)
INLINE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.S)
OUTSIDE = re.compile(r"^[a-z]+:")


def blank(text: str) -> str:
    """Return the text with code blanked out, every other character where it was."""
    for pattern in (FENCE, INLINE):
        text = pattern.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)
    return text


def links(text: str) -> Iterator[tuple[int, str]]:
    """Return the line and target of every link and picture."""
    for match in LINK.finditer(blank(text)):
        yield text.count("\n", 0, match.start()) + 1, match[3]


def headings(text: str) -> list[str]:
    """Return the headings of a page, as they are written."""
    found = re.findall(r"^#{1,6} +(.+?) *#* *$", _without_fences(text), re.M)
    return [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", one) for one in found]


def anchors(text: str) -> set[str]:
    """Return the anchors of a page, as the site and GitHub name them where they agree."""
    found: dict[str, int] = {}
    names: set[str] = set(re.findall(r'<a (?:id|name)="([^"]+)"', text))
    for heading in headings(text):
        slug = slugify(heading)
        count = found.get(slug, 0)
        found[slug] = count + 1
        names.add(slug if count == 0 else f"{slug}-{count}")
    return names


def slugify(heading: str) -> str:
    """Return the anchor of a heading: small letters, words joined by hyphens."""
    text = unicodedata.normalize("NFC", heading).replace("`", "").replace("*", "").strip().lower()
    return re.sub(r"[\s]+", "-", re.sub(r"[^\w\s-]", "", text))


def faults(path: Path, root: Path = ROOT) -> list[str]:
    """Return the links of one file that lead nowhere, as `file:line: target`."""
    text = path.read_text("utf-8")
    found = []
    for line, target in links(text):
        if OUTSIDE.match(target):
            continue
        name, _, anchor = target.partition("#")
        place = (path.parent / name).resolve() if name else path
        if not place.is_file():
            found.append(f"{path.relative_to(root)}:{line}: there is no {target}")
        elif anchor and place.suffix == ".md" and anchor not in anchors(place.read_text("utf-8")):
            found.append(f"{path.relative_to(root)}:{line}: no heading for {target}")
    return found


def external(path: Path) -> list[str]:
    """Return the addresses outside the repository that a file links to."""
    return [target for _, target in links(path.read_text("utf-8")) if OUTSIDE.match(target)]


def _without_fences(text: str) -> str:
    return FENCE.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)
