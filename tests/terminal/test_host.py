"""A table from the first card to the last chip: dealing, leaving, resuming."""

from __future__ import annotations

import itertools
import re
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from qipai.core.errors import BadOption, BadRecord, BadSeats, MatchOver, UnknownAgent, UnknownGame
from qipai.match import check_record, read_record
from qipai.match.keys import SEED_BYTES
from qipai.terminal.host import series_seed
from qipai.terminal.stage import CURTAIN, HOME, TO_END
from qipai.terminal.store import read_note

from .scripted import Shown, any_moves, one_hand, play, tables


def test_a_deal_is_played_to_its_settlement_and_its_record_holds(home: Path) -> None:
    status, text, _ = play(any_moves, seed="7", hands=1)
    assert status == 0
    assert "Chips after one hand" in text
    (folder,) = tables(home)
    match, wrong = check_record(read_record(folder / "hand-001.jsonl"))
    assert not wrong and match.over and match.payoff is not None
    assert sum(match.payoff) == 0
    assert f"You {match.payoff[0]:+d}".replace("-", "−") in text or match.payoff[0] == 0
    assert read_note(folder).done


def test_chips_are_carried_from_deal_to_deal(home: Path) -> None:
    _, text, _ = play(any_moves, seed="3", hands=3)
    (folder,) = tables(home)
    total = [0, 0, 0]
    for deal in (1, 2, 3):
        match, _ = check_record(read_record(folder / f"hand-00{deal}.jsonl"))
        assert match.payoff is not None
        total = [a + b for a, b in zip(total, match.payoff, strict=True)]
    shown = "   ".join(
        f"{n} {c:+d}" if c else f"{n} 0" for n, c in zip(("You", "Lan", "Bo"), total, strict=True)
    )
    assert f"Chips after 3 hands: {shown.replace('-', '−')}." in text


def test_the_same_seed_gives_the_same_first_screen_and_another_seed_another() -> None:
    first = play([], seed="snow")[1]
    assert play([], seed="snow")[1] == first
    assert play([], seed="rain")[1] != first


def test_the_same_seed_and_keys_give_the_same_table_bots_and_all() -> None:
    assert play(any_moves, seed="5", hands=2)[1] != play(any_moves, seed="6", hands=2)[1]
    one, other = (play(any_moves, seed="5", hands=2)[1].splitlines()[:-1] for _ in range(2))
    assert one == other  # the last line names the record


def test_a_seed_may_be_a_number_or_a_word() -> None:
    assert series_seed("7") == series_seed(" 007") != series_seed("seven")
    assert len(series_seed("-1")) == 32


def test_tables_without_a_seed_differ() -> None:
    assert len({play([])[1].partition("> ")[0] for _ in range(3)}) > 1


def test_what_is_typed_wrong_gets_a_sentence_and_changes_nothing(home: Path) -> None:
    _, text, _ = play(["zz", "99", "RS BS", "", "h", "l", "?"], seed="7")
    assert "is not a move" in text and "There is no move 99 here." in text and "Hint: " in text
    assert "Trick-taking for three" in text
    (folder,) = tables(home)
    record = read_record(folder / "hand-001.jsonl")
    assert all(seat != 0 for seat, _ in record.moves)


def test_the_end_of_the_input_keeps_the_table_and_says_so(home: Path) -> None:
    status, text, _ = play([], seed="7")
    assert status == 0
    assert text.rstrip().endswith("The input has ended.\nThe table is saved. `qipai play xianqi` resumes it.")
    (folder,) = tables(home)
    assert not read_note(folder).done


def test_an_interrupted_table_goes_on_where_it_was(home: Path) -> None:
    status, before, _ = play(["1", "^C"], seed="7")
    assert status == 130 and "The table is saved" in before
    (folder,) = tables(home)
    moves = read_record(folder / "hand-001.jsonl").moves
    assert any(seat == 0 for seat, _ in moves)
    _, after, _ = play(["y"])
    assert "You left a table: hand 1" in after and "Resuming hand 1." in after
    again = read_record(folder / "hand-001.jsonl").moves
    assert again[: len(moves)] == moves
    assert tables(home) == [folder]
    lines = [line for line in before.splitlines() if line.startswith(("You lead", "You play", "You cover"))]
    assert lines and all(line in after for line in lines)


def test_a_table_that_is_not_wanted_is_not_offered_again(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # five deals in a hundred are over at once, and so would the table be: these are not
    real = secrets.token_bytes
    monkeypatch.setattr(secrets, "token_bytes", lambda n: bytes(range(n)) if n == SEED_BYTES else real(n))
    play([], seed="7")
    _, text, _ = play(["n"])
    assert "You left a table" in text
    assert sorted(read_note(folder).done for folder in tables(home)) == [False, True]
    assert "You left a table" in play(["n"])[1]  # the other one, opened just before
    assert sorted(read_note(folder).done for folder in tables(home)) == [False, True, True]


def test_a_finished_table_is_not_offered() -> None:
    play(any_moves, seed="7", hands=1)
    assert "You left a table" not in play([])[1]


@pytest.mark.parametrize("settings", [{"seed": "1"}, {"fresh": True}, {"bots": "random"}, {"seat": 1}])
def test_who_asks_for_something_particular_is_not_asked_about_a_kept_table(settings: dict[str, Any]) -> None:
    play([], seed="7")
    assert "You left a table" not in play([], **settings)[1]


def test_a_kept_table_whose_record_is_broken_is_set_aside_with_a_sentence(home: Path) -> None:
    play([], seed="7")
    (folder,) = tables(home)
    record = folder / "hand-001.jsonl"
    record.write_text(record.read_text().replace('"seat":', '"seet":', 1) + "{}\n")
    _, text, _ = play(["y"])
    said = f"The saved table in {folder} cannot be read and is set aside (record/bad)."
    assert said in " ".join(text.split())
    assert "Your lead" in text or "You " in text  # a new table was opened
    assert read_note(folder).done


def test_a_record_of_ones_own_choosing_is_resumed_by_name(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    _, text, _ = play(["1"], seed="7", record=path)
    assert f"`qipai play xianqi --resume {path}` resumes it" in text
    held = len(read_record(path).moves)
    _, text, _ = play(any_moves, resume=path, hands=1)
    record = read_record(path)
    assert len(record.moves) > held and record.end is not None
    with pytest.raises(MatchOver):
        play([], resume=path)


def test_further_deals_of_a_named_record_are_numbered(tmp_path: Path) -> None:
    play(any_moves, seed="7", record=tmp_path / "mine.jsonl", hands=2)
    assert sorted(p.name for p in tmp_path.glob("*.jsonl")) == ["mine-2.jsonl", "mine.jsonl"]


def test_a_record_is_never_written_over(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text("something of mine")
    with pytest.raises(BadRecord, match="exists"):
        play([], record=path)
    assert path.read_text() == "something of mine"


@pytest.mark.parametrize("text", ["", "{", "[]\n", '{"format": "qipai/1"}\n', "\0\xff\n"])
def test_a_broken_record_is_refused_by_name_and_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "broken.jsonl"
    path.write_text(text)
    with pytest.raises(BadRecord, match=r"broken\.jsonl"):
        play([], resume=path)
    assert path.read_text() == text


def test_a_last_line_cut_short_is_left_out_with_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    play(["1"], seed="7", record=path)
    with path.open("a") as file:
        file.write('{"move":')
    assert "is incomplete" in play([], resume=path)[1]


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"game": "nosuch"}, UnknownGame),
        ({"seat": 3}, BadSeats),
        ({"seat": -2}, BadSeats),
        ({"seats": 4}, BadSeats),
        ({"bots": "nosuch"}, UnknownAgent),
        ({"bots": ""}, UnknownAgent),
        ({"bots": "random,random,random"}, BadSeats),
        ({"options": {"nosuch": 1}}, BadOption),
        ({"options": {"dog_pair": "tall"}}, BadOption),
        ({"resume": Path("/nonexistent/file")}, BadRecord),
        ({"record": Path("/nonexistent/folder/file")}, BadRecord),
    ],
)
def test_bad_flags_are_refused_by_name(settings: dict[str, Any], error: type[Exception], home: Path) -> None:
    with pytest.raises(error):
        play([], **settings)
    assert tables(home) == []


def test_bots_sit_in_play_order_and_the_last_one_named_fills_up() -> None:
    assert "Lan (Heuristic), Bo (Random)" in play([], seed="1", bots="heuristic,random")[1]
    assert "Lan (Random), Bo (Random)" in play([], seed="1", bots="random")[1]


def test_a_person_may_sit_where_a_bot_would() -> None:
    text = play([], seed="1", bots="human")[1]
    assert "Lan (human), Bo (Net)" in text  # people are named one by one


def shared(shown: Shown) -> Iterator[str]:
    """Type for the person who is asked: Enter at a handover, else any move."""
    for key in any_moves(shown):
        while "at the keyboard" in shown.getvalue()[-60:]:
            yield ""
        yield key


@pytest.mark.parametrize("tty", [False, True])
@pytest.mark.parametrize("bots", ["human,human", "random,human"])
def test_people_share_a_keyboard_and_see_their_own_hand_alone(bots: str, tty: bool, home: Path) -> None:
    status, _, shown = play(shared, tty=tty, seed="3", hands=1, bots=bots)
    text = shown.getvalue()
    assert status == 0 and "Chips after one hand" in text
    (folder,) = tables(home)
    match, wrong = check_record(read_record(folder / "hand-001.jsonl"))
    assert match.over and not wrong
    people = {0, 1, 2} if bots == "human,human" else {0, 2}
    seats = [int(seat) for seat in re.findall(r"Seat (\d) to move", text)]
    assert set(seats) == people and all(a != b for a, b in itertools.pairwise(seats))
    blank = HOME + TO_END if tty else "\n" * CURTAIN
    assert len(re.findall(re.escape(blank) + r" *Seat \d to move", text)) == len(seats)


@pytest.mark.parametrize("tty", [False, True])
def test_no_hand_is_shown_before_somebody_has_sat_down(tty: bool) -> None:
    """At the beginning of every deal, while a bot moves first and all people scene."""
    for seed in ("3", "4", "5"):
        text = play(shared, tty=tty, seed=seed, hands=2, bots="random,human")[1]
        starts = [text.index("q  quit")] if tty else [text.index(f"Hand {k} begins.") for k in (1, 2)]
        for start in starts:
            before = text[start : text.index("at the keyboard", start)]
            assert "You" not in before, (seed, before)


def test_what_was_missed_is_told_to_the_next_person() -> None:
    text = play(shared, seed="3", hands=1, bots="human,human")[1]
    first, second = text.split("\n" * CURTAIN)[1:3]
    assert "Hand 1 begins." in first and "Hand 1 begins." in second  # each hears the whole deal


def test_the_input_may_end_at_a_handover(home: Path) -> None:
    status, text, _ = play(["1", "p"], seed="3", bots="human,human")
    assert status == 0 and "The table is saved" in text


def test_every_seat_can_be_the_persons_and_a_watcher_has_none() -> None:
    for seat in (0, 1, 2):
        _, text, _ = play(any_moves, seed="9", seat=seat, hands=1)
        assert "You " in text and "Chips after one hand" in text
    _, text, _ = play([], seed="9", seat=-1, hands=1, bots="random")
    assert "You" not in text.partition("At the table")[2] and "Chips after one hand" in text


def test_options_reach_the_match_and_the_next_deal_inherits(home: Path) -> None:
    play(any_moves, seed="2", hands=3, options={"first_game_limits": "on", "dog_pair": "equal_red_shi"})
    (folder,) = tables(home)
    heads = [read_record(folder / f"hand-00{k}.jsonl").head.options for k in (1, 2, 3)]
    assert [h["first_game_limits"] for h in heads] == ["on", "off", "off"]
    assert {h["dog_pair"] for h in heads} == {"equal_red_shi"}


def test_a_black_deal_is_shown_and_settled_at_zero(home: Path) -> None:
    """5 in 100 deals are black; the person sees why and nobody pays."""
    for seed in range(60):
        _, text, _ = play(any_moves, seed=f"black {seed}", hands=1, bots="random")
        if "Black chess" in text:
            assert "Chips after one hand: You 0   Lan 0   Bo 0." in text
            return
    raise AssertionError("no black deal among 60")


def test_a_table_left_between_deals_is_over_and_not_kept(home: Path) -> None:
    _, text, _ = play(one_hand, seed="7")
    assert "Chips after one hand" in text and "Record file: " in text
    (folder,) = tables(home)
    assert read_note(folder).done and not (folder / "hand-002.jsonl").exists()
    assert "You left a table" not in play([])[1]


def test_the_whole_table_speaks_chinese() -> None:
    _, text, _ = play(any_moves, lang="zh", seed="7", hands=1)
    body = text.rpartition("记录：")[0]
    letters = [
        line
        for line in body.splitlines()
        if line.strip() and line.isascii() and line.strip(" >pbr0123456789")
    ]
    codes = set(" RSBXMCGN\n")
    assert [line for line in letters if not set(line) <= codes] == []
    assert "你" in text and "筹码" in text
