"""The build backend: links for a package index, and the page where it can be built."""

from __future__ import annotations

from pathlib import Path

import pytest

import qipai_build
import site_build

ADDRESS = "https://example.org/someone/qipai"
README = "![a table](docs/a.webp) [play](docs/play.md#keys), [there](https://example.org)\n\n`[code](x.md)`\n"


@pytest.fixture(autouse=True)
def no_wishes(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (qipai_build.REPOSITORY, qipai_build.PAGE):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Simulate a page that was built from other sources, without Node to build it again."""
    site = tmp_path / "site"
    site.mkdir()
    (site / "index.html").write_text("old")
    monkeypatch.setattr(site_build, "SITE", site)
    monkeypatch.setattr(site_build, "find_node", lambda: None)
    return site


def test_links_to_files_lead_to_the_repository() -> None:
    assert qipai_build.linked(README, ADDRESS) == (
        f"![a table]({ADDRESS}/raw/HEAD/docs/a.webp) [play]({ADDRESS}/blob/HEAD/docs/play.md#keys), "
        "[there](https://example.org)\n\n`[code](x.md)`\n"
    )


def test_without_an_address_links_are_text_and_pictures_are_left_out() -> None:
    assert qipai_build.linked(README, "") == " play, [there](https://example.org)\n\n`[code](x.md)`\n"


def test_the_address_is_given_or_that_of_the_sdist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(qipai_build, "ROOT", tmp_path)
    assert qipai_build.repository() == ""
    (tmp_path / "PKG-INFO").write_text(f"Name: qipai\nProject-URL: Source, {ADDRESS}\n\nThe text.\n")
    assert qipai_build.repository() == ADDRESS
    monkeypatch.setenv(qipai_build.REPOSITORY, "https://example.org/other/qipai/")
    assert qipai_build.repository() == "https://example.org/other/qipai"


@pytest.mark.parametrize("given", ["https://me:secret@example.org/a", "git@example.org:a/b", "example.org"])
def test_an_address_with_a_user_name_or_of_another_kind_is_refused(
    given: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(qipai_build.REPOSITORY, given)
    with pytest.raises(ValueError, match="without a user name"):
        qipai_build.repository()


def test_without_node_an_old_page_is_left_out_and_nothing_is_asked_for(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert qipai_build.page_requires() == []
    qipai_build.make_page()
    assert "without the page" in capsys.readouterr().err and not site.exists()


def test_a_required_page_asks_for_node_and_fails_without_it(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(qipai_build.PAGE, "required")
    assert any("node" in need for need in qipai_build.page_requires())
    with pytest.raises(site_build.BuildError, match="it needs Node"):
        qipai_build.make_page()


def test_a_page_that_is_up_to_date_needs_nothing(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (site / site_build.STAMP).write_text(site_build.digest())
    monkeypatch.setenv(qipai_build.PAGE, "required")
    assert qipai_build.page_requires() == []
    qipai_build.make_page()
    assert site.exists()
