"""Who is connected: by seat, here and elsewhere, and since when somebody is gone."""

from __future__ import annotations

from typing import Any

from qipai.server.store.guests import Guest
from qipai.server.table.presence import Presence
from qipai.server.table.seating import Seating


class Line:
    """A socket with only what is needed here."""

    def __init__(self, name: str) -> None:
        self.guest = Guest(name, name, "")


def room() -> tuple[Seating, Any]:
    """Return a table of three with Ann and Bo."""
    seating = Seating.empty_table(3)
    for seat, name in enumerate(("ann", "bo")):
        seating.fold("sit", {"seat": seat, "guest": name, "name": name})
    return seating, Presence(seating)


def test_sockets_count_by_seat_and_watchers_by_socket() -> None:
    _, presence = room()
    lines = [Line(name) for name in ("ann", "ann", "eve", "eve", "bo")]
    for line in lines:
        presence.join(line)
    assert presence.here == presence.connected == {0, 1} and presence.watchers == 2
    presence.part(lines[0])
    assert presence.here == {0, 1}
    presence.part(lines[1])
    assert presence.here == {1}


def test_one_who_sits_down_is_no_watcher_any_more() -> None:
    seating, presence = room()
    presence.join(Line("eve"))
    before = presence.changes
    seating.fold("sit", {"seat": 2, "guest": "eve", "name": "Eve"})
    assert presence.here == {2} and presence.watchers == 0 and presence.changes > before


def test_those_at_other_workers_are_connected() -> None:
    _, presence = room()
    presence.join(Line("ann"))
    assert presence.set_elsewhere({1}, 3)
    assert not presence.set_elsewhere({1}, 3)
    assert presence.connected == {0, 1} and presence.here == {0} and presence.watchers == 3


def test_somebody_is_gone_since_the_last_socket_went() -> None:
    _, presence = room()
    line = Line("ann")
    presence.join(line)
    assert presence.gone_since(0, 5.0) is None
    presence.part(line)
    gone = presence.gone_since(0, 1e12)
    assert gone is not None and gone < 1e12
    presence.join(line)
    assert presence.gone_since(0, 1e12) is None
    assert presence.gone_since(1, 7.0) == presence.gone_since(1, 8.0) == 7.0  # was never here


def test_only_news_is_announced() -> None:
    _, presence = room()
    assert presence.announce() == ([], 0, True)
    assert presence.announce() == ([], 0, False)
    presence.join(Line("bo"))
    assert presence.announce() == ([1], 0, True)
