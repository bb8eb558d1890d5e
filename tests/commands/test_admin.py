"""`qipai admin`: the operator's tasks, in words."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import text

from qipai.cli import main
from qipai.server.main import DATABASE
from qipai.server.store.store import Store


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    found = f"sqlite:///{tmp_path}/server.db"
    store = Store(found)
    with store.engine.begin() as connection:
        connection.execute(text("INSERT INTO guests VALUES ('abc', 'x', 'Eve', 1, 1)"))
        connection.execute(
            text(
                "INSERT INTO reports (at, reporter, guest, name, table_id, line, text, reason) "
                "VALUES (1, 'def', 'abc', 'Eve', 't', 1, 'rude', 'insult')"
            )
        )
    store.close()
    monkeypatch.setenv(DATABASE, found)  # as the server reads it
    return found


def said(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    assert main(["admin", *arguments]) == status
    out, err = capsys.readouterr()
    return out + err


def test_the_tasks_of_an_operator(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "insult  abc 'Eve' at table t: 'rude' (reported by def)" in said(capsys, "reports")
    assert "abc  'Eve'  last here 1970-01-01" in said(capsys, "guests", "ev")
    assert "banned until" in said(capsys, "ban", "abc", "--hours", "2", "--reason", "rude")
    assert "banned until" in said(capsys, "--database", url, "guests")
    assert "unbanned" in said(capsys, "unban", "abc")
    assert "closed report 1" in said(capsys, "close", "1")
    assert said(capsys, "reports") == "no reports\n" and "(closed)" in said(capsys, "reports", "--all")
    assert "deleted" in said(capsys, "delete", "abc")
    assert said(capsys, "guests") == "no guests\n"


def test_what_cannot_be_done_is_refused_by_name(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "[guest/unknown]" in said(capsys, "ban", "nobody", status=2)
    assert "[guest/unknown]" in said(capsys, "unban", "abc", status=2)
    assert "[server/bad]" in said(capsys, "ban", "abc", "--hours", "-1", status=2)
    assert "[database/bad]" in said(capsys, "--database", "sqlite:////nowhere/x.db", "guests", status=2)
