"""What a shared link shows: the game, in the reader's language, and no secret."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from qipai.server.http.previews import MESSAGES, Preview, fill, language, preview
from tests.server.live import Live, live

PAGE = (Path(__file__).parents[3] / "front" / "index.html").read_text("utf-8")
SITE = Path("nowhere")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with live(tmp_path_factory.mktemp("server")) as found:
        yield found


def shown(server: Live, path: str, lang: str = "en") -> Preview | None:
    """Return what the server finds for an address."""
    return asyncio.run_coroutine_threadsafe(preview(server.hall, path, lang), server.hall.loop).result(30)


def test_the_sentences_are_there_in_every_language() -> None:
    assert MESSAGES.faults(("zh", "en", "ja")) == []


@pytest.mark.parametrize(
    ("accepted", "lang"),
    [
        ("", "en"),
        ("de,fr;q=0.8", "en"),
        ("ja", "ja"),
        ("de, zh-CN;q=0.9, en;q=0.1", "zh"),
        ("EN-us,zh", "en"),
    ],
)
def test_the_language_is_the_first_one_that_the_page_speaks(accepted: str, lang: str) -> None:
    assert language(accepted) == lang


def test_pages_of_a_game_name_it_and_show_its_pitch(server: Live) -> None:
    titles = {}
    for kind in ("play", "rules", "spec", "learn"):
        found = shown(server, f"/{kind}/xianqi", "zh")
        assert found is not None and found.game == "xianqi" and "三人" in found.about
        titles[kind] = found.title
    assert titles["play"] == "掀棋" and titles["rules"] == titles["spec"] == "掀棋的规则"
    assert "Xianqi" in str(shown(server, "/rules/xianqi"))
    for path in ("/", "/history", "/play/chess", "/play/", "/rules/../etc", "/table/nothere123", "/table/x"):
        assert shown(server, path) is None, path


@pytest.mark.parametrize("private", [True, False])
def test_a_table_shows_its_game_and_nobody(server: Live, private: bool) -> None:
    with server.person("Evelyn") as eve:
        table = eve.open("nana", private=private, options={"max_turns": 77})
        awake = [shown(server, f"/{kind}/{table}") for kind in ("table", "replay")]
        server.hall.loop.call_soon_threadsafe(lambda: server.hall._forget(server.hall.tables[table]))
        asleep = [shown(server, f"/{kind}/{table}") for kind in ("table", "replay")]
        assert awake == asleep and table not in server.hall.tables  # a preview wakes nobody
        for found in awake:
            assert found is not None and found.game == "nana" and "NANA" in found.title
            for secret in ("Evelyn", table, "77"):
                assert secret not in str(found)


def test_the_page_is_filled_and_escaped(tmp_path: Path) -> None:
    found = Preview('<b>"x"</b>', "one & two", "nana")
    page = fill(PAGE, found, "http://h/", SITE)
    assert '<meta property="og:title" content="&lt;b&gt;&quot;x&quot;&lt;/b&gt; · qipai"' in page
    assert '<meta property="og:description" content="one &amp; two"' in page
    assert '<meta name="description" content="one &amp; two"' in page
    assert "<title>&lt;b&gt;&quot;x&quot;&lt;/b&gt; · qipai</title>" in page
    assert '<meta property="og:image" content="http://h/preview.jpg"' in page
    (tmp_path / "preview-nana.webp").write_bytes(b"")
    assert 'content="http://h/preview-nana.webp"' in fill(PAGE, found, "http://h/", tmp_path)


def test_other_addresses_keep_the_preview_of_the_page() -> None:
    page = fill(PAGE, None, 'http://"h/', SITE)
    assert page == PAGE.replace('content="/preview.jpg"', 'content="http://&quot;h/preview.jpg"')
