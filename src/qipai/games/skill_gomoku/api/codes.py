"""Skill Gomoku's errors: the codes of §11 and the exception that carries them."""

from __future__ import annotations

from enum import StrEnum

from qipai.core.errors import QipaiError


class Code(StrEnum):
    """Why something was refused; spelled as in other implementations."""

    # cards
    CardNotPlayable = "CardNotPlayable"
    InsufficientEmpties = "InsufficientEmpties"
    InvalidTarget = "InvalidTarget"
    OutOfBounds = "OutOfBounds"
    CellOccupied = "CellOccupied"
    CellEmpty = "CellEmpty"
    TargetNotOpponent = "TargetNotOpponent"
    TargetIsSelf = "TargetIsSelf"
    # events
    GameOver = "GameOver"
    InvalidEvent = "InvalidEvent"
    NotYourTurn = "NotYourTurn"
    WrongState = "WrongState"
    CardNotDrawn = "CardNotDrawn"
    InvalidAction = "InvalidAction"
    # several targets
    DuplicateTarget = "DuplicateTarget"
    TooManyTargets = "TooManyTargets"
    TooFewTargets = "TooFewTargets"
    # setting up
    InvalidConfig = "InvalidConfig"
    UnknownCard = "UnknownCard"
    DuplicateCard = "DuplicateCard"
    # a card of a third party
    CardFault = "CardFault"


MESSAGES = {
    Code.CardNotPlayable: "this card cannot be played now",
    Code.InsufficientEmpties: "there are not enough empty cells",
    Code.InvalidTarget: "this is not a target of this card",
    Code.OutOfBounds: "the cell is outside the board",
    Code.CellOccupied: "the cell is occupied",
    Code.CellEmpty: "there is no stone on the cell",
    Code.TargetNotOpponent: "the target must be the opponent",
    Code.TargetIsSelf: "the target must be oneself",
    Code.GameOver: "the game is over",
    Code.InvalidEvent: "this is not an event of the game",
    Code.NotYourTurn: "it is the other player's turn",
    Code.WrongState: "this event is not expected now",
    Code.CardNotDrawn: "this card is not among the drawn ones",
    Code.InvalidAction: "this action is not legal now",
    Code.DuplicateTarget: "this target has been added already",
    Code.TooManyTargets: "the card takes no more targets",
    Code.TooFewTargets: "the card needs more targets",
    Code.InvalidConfig: "the settings or the state cannot be used",
    Code.UnknownCard: "no card of this id is registered",
    Code.DuplicateCard: "a card of this id is registered already",
    Code.CardFault: "a card failed; nothing has changed",
}


class SkillGomokuError(QipaiError):
    """A request to Skill Gomoku's named API was refused; `code` says why."""

    code = "skill_gomoku"

    def __init__(self, code: Code, message: str = "") -> None:
        super().__init__(message or MESSAGES[code])
        self.code = str(code)


def short(value: object) -> str:
    """Return a value for use in a message."""
    try:
        text = repr(value)
    except Exception:  # a hostile __repr__ must not break the error
        return f"a {type(value).__name__}"
    return text if len(text) <= 40 else text[:37] + "..."
