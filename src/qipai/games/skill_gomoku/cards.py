"""Skill Gomoku's cards as definitions: targets, playability, effects, and their registry.

An effect is pure: it reads the context, the target and chance, and returns operations
(board.apply_ops). Third parties register cards of their own for the plain turn machine;
the compiled rules know the five of §3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from .board import Cells, Op, count, empty_cells
from .codes import Code, SkillGomokuError, short
from .reference import Generator

SCATTERED = 5
Target = Any  # a value of §11.2 as it came in; a list of them for a card with several targets


@dataclass(frozen=True)
class Context:
    """What a card may look at."""

    cells: Cells
    player: int  # 1 or 2, who plays it
    skips: Mapping[str, int] = field(default_factory=lambda: {"1": 0, "2": 0})

    @property
    def opponent(self) -> int:
        """The other player."""
        return 3 - self.player


@dataclass(frozen=True)
class CardDefinition:
    """One kind of card. `can_play` and `validate_target` answer None for yes, or a code."""

    id: str
    name: Mapping[str, str]  # by language
    description: Mapping[str, str]
    icon: str
    target: Mapping[str, Any]  # a target spec of §11.2; `count` {min, max} asks for several
    can_play: Callable[[Context], Code | None]
    effect: Callable[[Context, Target, Generator], list[Op]]
    check: Callable[[Context, Target], Code | None] | None = None  # beyond what the spec says

    def validate_target(self, context: Context, target: Target) -> Code | None:
        """Whether `target` (one value) may be chosen."""
        refused = validate_spec(self.target, context, target)
        if refused is None and self.check is not None:
            return self.check(context, target)
        return refused

    @property
    def needs_target(self) -> bool:
        """Whether it is aimed at anything."""
        return self.target.get("kind") != "none"

    @property
    def several(self) -> tuple[int, int] | None:
        """Fewest and most targets, for a card that takes several."""
        asked = self.target.get("count")
        return None if asked is None else (int(asked["min"]), int(asked["max"]))


def validate_spec(spec: Mapping[str, Any], context: Context, value: Target) -> Code | None:
    """§11.2 whether a target value fits a target spec."""
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


class CardRegistry:
    """Card definitions by id, in the order in which they were registered."""

    def __init__(self, cards: tuple[CardDefinition, ...] = ()) -> None:
        self._cards: dict[str, CardDefinition] = {}
        for card in cards:
            self.register(card)

    def register(self, card: CardDefinition) -> None:
        """Add a card; DuplicateCard when its id is taken."""
        if card.id in self._cards:
            raise SkillGomokuError(Code.DuplicateCard, f"a card {short(card.id)} is registered already")
        self._cards[card.id] = card

    def get(self, card_id: object) -> CardDefinition | None:
        """The card of this id, or None."""
        return self._cards.get(card_id) if isinstance(card_id, str) else None

    def require(self, card_id: object) -> CardDefinition:
        """The card of this id; UnknownCard when there is none."""
        found = self.get(card_id)
        if found is None:
            raise SkillGomokuError(Code.UnknownCard, f"no card is called {short(card_id)}")
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


def _always(context: Context) -> Code | None:
    return None


def _can_place(context: Context) -> Code | None:
    return None if count(context.cells, 0) > 0 else Code.InsufficientEmpties


def _can_take(context: Context) -> Code | None:
    return None if count(context.cells, context.opponent) > 0 else Code.CardNotPlayable


def _can_generate(context: Context) -> Code | None:
    return None if count(context.cells, 0) >= SCATTERED else Code.InsufficientEmpties


def _place(context: Context, target: Target, generator: Generator) -> list[Op]:
    return [{"type": "place", "point": dict(target["point"]), "player": context.player}]


def _take(context: Context, target: Target, generator: Generator) -> list[Op]:
    return [{"type": "remove", "point": dict(target["point"])}]


def _invert(context: Context, target: Target, generator: Generator) -> list[Op]:
    return [{"type": "swapAll"}]


def _freeze(context: Context, target: Target, generator: Generator) -> list[Op]:
    return [{"type": "freeze", "target": context.opponent, "amount": 1}]


def _generate(context: Context, target: Target, generator: Generator) -> list[Op]:
    stones = generator.scatter(empty_cells(context.cells), SCATTERED)
    return [{"type": "place", "point": {"x": x, "y": y}, "player": colour} for (x, y), colour in stones]


BASE_CARDS = (
    CardDefinition(
        "Place",
        {"en": "Place Stone", "zh": "落子无悔"},
        {"en": "put one of your stones on an empty cell", "zh": "在一个空位落下己方一子"},
        "●",
        {"kind": "cell", "mustBeEmpty": True},
        _can_place,
        _place,
    ),
    CardDefinition(
        "Take",
        {"en": "Take Stone", "zh": "飞沙走石"},
        {"en": "remove one stone of your opponent", "zh": "移除对方一子"},
        "✕",
        {"kind": "cell", "mustBeOwnedBy": "opponent"},
        _can_take,
        _take,
    ),
    CardDefinition(
        "PolarityInversion",
        {"en": "Polarity Inversion", "zh": "两极反转"},
        {"en": "every black stone becomes white and the reverse", "zh": "全盘黑白互换"},
        "☯",
        {"kind": "none"},
        _always,
        _invert,
    ),
    CardDefinition(
        "TimeFreeze",
        {"en": "Time Freeze", "zh": "时间冻结"},
        {"en": "your opponent's next turn is skipped", "zh": "对方跳过下一回合"},
        "❄",
        {"kind": "player", "relation": "opponent"},
        _always,
        _freeze,
    ),
    CardDefinition(
        "SpontaneousGeneration",
        {"en": "Spontaneous Generation", "zh": "天女散花"},
        {
            "en": "five stones of random colours fall on random empty cells",
            "zh": "随机五个空位各落一枚随机颜色的棋子",
        },
        "✿",
        {"kind": "none"},
        _can_generate,
        _generate,
    ),
)


def base_registry() -> CardRegistry:
    """A fresh registry with the five base cards; register more on it for the plain machine."""
    return CardRegistry(BASE_CARDS)
