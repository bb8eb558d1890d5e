"""Cards as definitions: targets, playability, effects, and their registry.

An effect is pure: it reads the context, the target and random numbers, and returns operations
(`extensions/ops.py`). Third parties register their own cards. The five base cards describe what `rules.py`
does: they call the rules on a state made from the context.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

from .. import rules
from ..extensions.chance import chance_from
from ..extensions.wide import PLAIN, plain, position
from ..reference import Generator
from ..state import CELL, FREEZE, GENERATE, IDS, OPPONENT, PLACE, POLARITY, RESOLVE, TAKE
from ..text import ICON, MESSAGES
from ..view import ops_of
from .codes import Code, SkillGomokuError, short
from .lines import Cells

Op = dict[str, Any]
Target = Any  # a value of §11.2 as given; a list of them for a card with several targets


@dataclass(frozen=True)
class Context:
    """What a card may look at."""

    cells: Cells
    player: int  # 1 or 2: who plays it
    skips: Mapping[str, int] = field(default_factory=lambda: {"1": 0, "2": 0})

    @property
    def opponent(self) -> int:
        """The other player."""
        return 3 - self.player


@dataclass(frozen=True)
class CardDefinition:
    """One kind of card. `can_play` and `validate_target` return None for yes, or a code.

    If a function of a card raises, or returns anything else, a `CardFault` names the card.
    """

    id: str
    name: Mapping[str, str]  # by language
    description: Mapping[str, str]
    icon: str
    target: Mapping[str, Any]  # a target spec of §11.2; `count` {min, max} asks for several
    can_play: Callable[[Context], Code | None]
    effect: Callable[[Context, Target, Generator], list[Op]]
    check: Callable[[Context, Target], Code | None] | None = None  # in addition to the spec

    def __post_init__(self) -> None:
        for name, fits in (("can_play", _is_answer), ("effect", _is_list), ("check", _is_answer)):
            function = getattr(self, name)
            if function is not None:
                object.__setattr__(self, name, _guarded(self.id, function, fits))

    def validate_target(self, context: Context, target: Target) -> Code | None:
        """Return None if `target` (one value) may be chosen, or the reason why not."""
        refused = validate_spec(self.target, context, target)
        if refused is None and self.check is not None:
            return self.check(context, target)
        return refused

    @property
    def needs_target(self) -> bool:
        """Whether it needs a target."""
        return self.target.get("kind") != "none"

    @property
    def several(self) -> tuple[int, int] | None:
        """Minimum and maximum number of targets, for a card that takes several."""
        asked = self.target.get("count")
        return None if asked is None else (int(asked["min"]), int(asked["max"]))


def _guarded(card: str, function: Callable[..., Any], fits: Callable[[Any], bool]) -> Callable[..., Any]:
    """Return `function` of a card, which is third-party code, with a `CardFault` for every error in it."""

    @wraps(function)
    def call(*arguments: Any) -> Any:
        try:
            answer = function(*arguments)
        except SkillGomokuError:
            raise
        except Exception as error:
            raise _fault(card, f"raised {type(error).__name__}") from error
        if not fits(answer):
            raise _fault(card, f"answered {short(answer)}")
        return answer

    return call


def _fault(card: str, what: str) -> SkillGomokuError:
    return SkillGomokuError(Code.CardFault, f"card {short(card)} {what}; nothing has changed")


def _is_answer(answer: Any) -> bool:
    return answer is None or isinstance(answer, Code)


def _is_list(answer: Any) -> bool:
    return isinstance(answer, list | tuple)


def validate_spec(spec: Mapping[str, Any], context: Context, value: Target) -> Code | None:
    """Return None if a target value fits a target spec (§11.2), or the reason why not."""
    if value is None:
        value = {"kind": "none"}
    kind = spec.get("kind")
    if not isinstance(value, Mapping) or value.get("kind") != kind:
        return Code.InvalidTarget
    if kind == "none":
        return None
    if kind == "player":
        own = spec.get("relation") == "self"
        wanted = context.player if own else context.opponent
        player = value.get("player")
        if type(player) is int and player == wanted:
            return None
        return Code.TargetIsSelf if own else Code.TargetNotOpponent
    return _validate_cell(spec, context, value.get("point"))


def _validate_cell(spec: Mapping[str, Any], context: Context, point: Any) -> Code | None:
    x, y = (point.get("x"), point.get("y")) if isinstance(point, Mapping) else (None, None)
    if type(x) is not int or type(y) is not int:
        return Code.InvalidTarget
    size = len(context.cells)
    if not (0 <= x < size and 0 <= y < size):
        return Code.OutOfBounds
    stone = context.cells[y][x]
    if spec.get("mustBeEmpty") and stone != 0:
        return Code.CellOccupied
    owner = spec.get("mustBeOwnedBy")
    if owner == "self" and stone != context.player:
        return Code.InvalidTarget
    if owner == "opponent" and stone == context.player:
        return Code.InvalidTarget
    if owner == "opponent" and stone == 0:
        return Code.CellEmpty
    return None


def action_of(target: Target, size: int, player: int) -> int | None:
    """Return the action of `player` that names this target, or None if there is none."""
    if not isinstance(target, Mapping):
        return None
    if target.get("kind") == "player":
        chosen = target.get("player")
        return OPPONENT if type(chosen) is int and chosen == 3 - player else None
    point = target.get("point")
    if target.get("kind") != "cell" or not isinstance(point, Mapping):
        return None
    x, y = point.get("x"), point.get("y")
    if type(x) is not int or type(y) is not int or not (0 <= x < size and 0 <= y < size):
        return None
    return CELL + y * size + x


class CardRegistry:
    """Card definitions by id, in the order in which they were registered."""

    def __init__(self, cards: tuple[CardDefinition, ...] = ()) -> None:
        self._cards: dict[str, CardDefinition] = {}
        for card in cards:
            self.register(card)

    def register(self, card: CardDefinition) -> None:
        """Add a card; raise DuplicateCard if its id is taken."""
        if card.id in self._cards:
            raise SkillGomokuError(Code.DuplicateCard, f"a card {short(card.id)} is already registered")
        self._cards[card.id] = card

    def get(self, card_id: object) -> CardDefinition | None:
        """Return the card of this id, or None."""
        return self._cards.get(card_id) if isinstance(card_id, str) else None

    def require(self, card_id: object) -> CardDefinition:
        """Return the card of this id; raise UnknownCard if there is none."""
        found = self.get(card_id)
        if found is None:
            raise SkillGomokuError(Code.UnknownCard, f"there is no card {short(card_id)}")
        return found

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids, in order."""
        return tuple(self._cards)

    def __iter__(self) -> Iterator[CardDefinition]:
        return iter(self._cards.values())

    def __len__(self) -> int:
        return len(self._cards)


# --- the five cards of §3 -------------------------------------------------------------


# why a base card may be unplayable
REFUSALS = {
    PLACE: Code.InsufficientEmpties,
    TAKE: Code.CardNotPlayable,
    GENERATE: Code.InsufficientEmpties,
}


def _base(card: int, spec: Mapping[str, Any]) -> CardDefinition:
    """Describe a card that the rules know by number."""

    def can_play(context: Context) -> Code | None:
        playable = PLAIN.playable(position(context.cells, context.player), card)
        return None if playable else REFUSALS[card]

    def effect(context: Context, target: Target, generator: Generator) -> list[Op]:
        s = position(context.cells, context.player)
        s["card"], s["phase"] = card, RESOLVE
        if spec["kind"] != "none":
            action = action_of(target, len(context.cells), context.player)
            if action is None:
                raise SkillGomokuError(Code.InvalidTarget)
            s["target"] = action
        plain(chance_from(generator))(rules.apply_card)(s)
        return ops_of(s, context.player)

    name = IDS[card]
    named, about = MESSAGES.everywhere(f"card.{name}"), MESSAGES.everywhere(f"card.{name}.about")
    return CardDefinition(name, named, about, ICON[name], spec, can_play, effect)


BASE_CARDS = (
    _base(PLACE, {"kind": "cell", "mustBeEmpty": True}),
    _base(TAKE, {"kind": "cell", "mustBeOwnedBy": "opponent"}),
    _base(POLARITY, {"kind": "none"}),
    _base(FREEZE, {"kind": "player", "relation": "opponent"}),
    _base(GENERATE, {"kind": "none"}),
)


def base_registry() -> CardRegistry:
    """Return a new registry with the five base cards; third parties add theirs to it."""
    return CardRegistry(BASE_CARDS)
