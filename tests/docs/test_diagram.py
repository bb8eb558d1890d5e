"""Sequence diagrams become pictures without a script."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from sitemaker import diagram

DOCS = Path(__file__).parents[2] / "docs"
SMALL = """sequenceDiagram
    participant A as page (front/)
    participant B as match/
    A->>B: act {1} & <2>
    B-->>A: done
    B->>B: think
"""


def test_a_diagram_shows_every_participant_and_message() -> None:
    picture = ElementTree.fromstring(diagram.draw(SMALL))
    texts = [node.text for node in picture.iter() if node.tag.endswith("text")]
    assert texts == ["page (front/)", "match/", "act {1} & <2>", "done", "think"]
    kinds = [node.get("class") for node in picture.iter() if node.get("class") in ("call", "answer")]
    assert kinds == ["call", "answer", "call"]


@pytest.mark.parametrize("wrong", ["graph TD", "sequenceDiagram\nloop x", "sequenceDiagram\nA=>B: x"])
def test_what_it_cannot_draw_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="sequence diagram"):
        diagram.draw(wrong)


def test_every_diagram_of_the_docs_can_be_drawn() -> None:
    found = [
        source
        for page in DOCS.rglob("*.md")
        for source in re.findall(r"^```mermaid\n(.*?)^```$", page.read_text("utf-8"), re.M | re.S)
    ]
    assert found
    for source in found:
        ElementTree.fromstring(diagram.draw(source))
