"""Wide records: the same fields with more room, and the same rules on them."""

from __future__ import annotations

from qipai.games.skill_gomoku import SkillGomokuMatch

from ..positions import P, T, state


def test_sizes_beyond_the_compiled_rules_go_to_the_extensions() -> None:
    assert SkillGomokuMatch(1, {"boardSize": 19}).compiled
    for size in (20, 25):
        match = SkillGomokuMatch(1, {"boardSize": size})
        assert not match.compiled
        assert len(match.dump()["board"]["cells"]) == size
        assert match.observation().shape == (32, size, size)
    small = SkillGomokuMatch.load(state([P, P, T, P], size=2))
    assert not small.compiled
    assert not SkillGomokuMatch(1, {"deckCounts": {"Place": 65}}).compiled
