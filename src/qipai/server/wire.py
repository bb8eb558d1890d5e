"""All messages between the server and a page, as types: the only definition of the protocol.

The front end's TypeScript types are generated from these (`python front/wire_types.py`).
This module defines shapes and limits, not what a message does.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

NAME_LENGTH = 20
CHAT_LENGTH = 200
MOVE_LENGTH = 96  # actions of one compound move; Paipai Rensa distributes up to 86 tiles
TOKEN = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
Word = Annotated[str, Field(max_length=40)]
Lang = Literal["zh", "en", "ja"]
Pace = Literal["slow", "normal", "fast"]
GoalKind = Literal["endless", "hands", "chips", "round"]  # as in qipai.match.series
Words = dict[str, str]  # by language
Hex = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]  # 32 bytes


LogLine = tuple[str, dict[str, Any]]  # a key of the game's messages, and its values


class Message(BaseModel):
    """Strict: an unknown key, or a number instead of a string, is an error."""

    model_config = ConfigDict(extra="forbid", strict=True)


# --- the lobby ------------------------------------------------------------------------


class OptionInfo(Message):
    """One option of a game, for the form that opens a table."""

    name: str
    kind: Literal["choice", "switch", "seat", "number"]  # for a seat, -1 means random
    choices: list[str] = []  # for kind "choice"; for "switch" they are off and on
    names: list[Words] = []  # display name of each choice
    low: int | None = None  # for kind "number"
    high: int | None = None
    numbers: list[int] = []  # for kind "number": the only ones, with `names`; empty: all from `low` to `high`
    lowest: Words | None = None  # for kind "number": what `low` means if it is no amount
    default: str | int
    about: Words
    expert: bool = False  # not on the rules page, and after the others when a table is opened


class AgentInfo(Message):
    """A bot by name."""

    name: str
    title: Words
    level: int  # 1, a beginner, to 6; 0: not a level
    emoji: str  # of a level; else empty
    about: Words


class GameInfo(Message):
    """One game of the lobby."""

    name: str
    title: Words
    seats: tuple[int, int]
    options: list[OptionInfo]
    agents: list[AgentInfo]
    ready: bool  # compiled; it can be played earlier, on rules that run as plain Python
    progress: float  # of compilation, 0 to 1
    lesson: bool  # whether there is a guided first game


class SeatInfo(Message):
    """Who sits where. A bot that plays for an absent person is marked as such."""

    seat: int
    kind: Literal["empty", "person", "bot"]
    name: str
    agent: str | None = None  # the bot, or the bot that plays for a person
    ready: bool = False
    connected: bool = False
    away: bool = False  # a bot plays for this person until they take the seat back
    owner: bool = False


class TableInfo(Message):
    """The public information about a table."""

    id: str
    game: str
    options: dict[str, str | int]
    seats: list[SeatInfo]
    status: Literal["waiting", "playing", "over"]
    hand: int  # number of the current hand, from 0
    chips: list[int]  # sum over all finished hands
    clock: int  # seconds per move, 0: no limit
    claim: float  # seconds that a window for sealed answers is open
    private: bool  # not listed in the lobby
    watchers: int
    aid: bool = False  # NANA's memory aid
    goal: GoalKind = "endless"  # what ends a series of hands
    count: int = 0  # of hands, chips or rounds
    played: int = 0  # hands of the current series that are over
    finished: bool = False  # the last hand ended the series; another one begins a new series
    places: list[int] = []  # by seat, from 1
    created: float  # seconds since 1970


class Lobby(Message):
    """Sent on /ws/lobby on connection; on /ws/lobby?packed=true as a binary frame in the zlib format."""

    type: Literal["lobby"] = "lobby"
    games: list[GameInfo]
    tables: list[TableInfo]  # open or playing, not private, newest first
    online: int


class LobbyChange(Message):
    """Sent on /ws/lobby when something changes: only what did. Tables are shown newest first.

    On /ws/lobby?packed=true it is packed like `lobby`, unless it is small.
    """

    type: Literal["lobby_change"] = "lobby_change"
    games: list[GameInfo]  # in place of those with the same name
    tables: list[TableInfo]  # new, or in place of those with the same id
    gone: list[str]  # ids of tables that are no longer listed
    online: int


class Guest(Message):
    """Who you are: GET/POST /api/me. The token itself is an HttpOnly cookie."""

    id: str
    name: str


class NewGuest(Message):
    """POST /api/me: change your name."""

    name: Annotated[str, Field(min_length=1, max_length=NAME_LENGTH)]


class Blocked(Message):
    """GET /api/blocks: someone whose chat you do not see."""

    id: int
    name: str  # when you blocked them


class Unblock(Message):
    """POST /api/unblock: see their chat again."""

    id: int


class NewTable(Message):
    """POST /api/tables. `bots` fills seats from the last one backwards; you take the first free seat."""

    game: Word
    seats: int | None = None  # null: as many as the bots and you need
    options: dict[Word, str | int] = {}  # by name; the others have their defaults
    bots: list[Word] = Field(default=[], max_length=8)  # agents by name
    clock: Annotated[int, Field(ge=0, le=3600)] = 0  # seconds for a decision; 0: no limit
    claim: Annotated[float, Field(ge=0.5, le=30)] = 3.0  # seconds that a window is open
    private: bool = False  # not listed in the lobby
    aid: bool = False  # memory aid: cards that were shown stay marked
    goal: GoalKind = "endless"  # when the match ends
    count: Annotated[int, Field(ge=0, le=1_000_000)] = 0  # hands, chips or rounds of the goal
    pace: Pace = "normal"  # how long bots take for a move


class Reach(Message):
    """GET /api/reach: addresses for other machines; empty if only this machine can reach the server."""

    addresses: list[str]


class MyTable(Message):
    """One of your own tables that is not finished, for GET /api/mine."""

    table: TableInfo
    seat: int
    asked: bool  # the table waits for you


class Opened(Message):
    """The answer to NewTable."""

    table: str


# --- at a table: client to server (/ws/table/<id>?since=<version>&hand=<hand>) ---------


class Sit(Message):
    """Take an empty seat."""

    type: Literal["sit"]
    seat: int
    ref: int = 0


class Stand(Message):
    """Leave the seat. If a hand is under way, a bot plays it to the end, and the person may come back."""

    type: Literal["stand"]
    ref: int = 0


class Return(Message):
    """Take back your own seat from the bot that plays for you."""

    type: Literal["return"]
    ref: int = 0


class Ready(Message):
    """Ready for the first or the next hand, which is dealt when every person is. Also used for a rematch."""

    type: Literal["ready"]
    ready: bool
    ref: int = 0


class SetBot(Message):
    """Put a bot on an empty seat, or remove it (agent null); owner only, and only between hands."""

    type: Literal["bot"]
    seat: int
    agent: Word | None  # null: remove the bot
    ref: int = 0


class Act(Message):
    """One whole move, based on `version` of hand `hand`."""

    type: Literal["act"]
    hand: int
    version: int
    actions: Annotated[list[int], Field(min_length=1, max_length=MOVE_LENGTH)]
    ref: int = 0


class Commit(Message):
    """Commit to your share of the seed of hand `hand`, which is about to be dealt; see `shares`."""

    type: Literal["commit"]
    hand: int
    commitment: Hex
    ref: int = 0


class Reveal(Message):
    """Reveal your share of the seed, once everyone has committed to theirs."""

    type: Literal["reveal"]
    hand: int
    reveal: Hex
    ref: int = 0


class Describe(Message):
    """Request the position in words, for a page that cannot draw the game. The answer is `described`.

    `picked` is the start of the move that the asker is making; the log starts at version `since`.
    """

    type: Literal["describe"]
    hand: int
    version: int
    lang: Lang
    picked: Annotated[list[int], Field(max_length=MOVE_LENGTH)] = []  # actions
    since: Annotated[int, Field(ge=0)] = 0
    ref: int = 0


class Say(Message):
    """Send a chat message."""

    type: Literal["say"]
    text: Annotated[str, Field(min_length=1, max_length=CHAT_LENGTH)]
    ref: int = 0


class Remove(Message):
    """Remove a person from a seat; owner only. If a hand is under way, a bot plays it to the end."""

    type: Literal["remove"]
    seat: int
    ref: int = 0


class Block(Message):
    """See no more chat of the guest who wrote a line, at any table."""

    type: Literal["block"]
    line: int  # its `id`
    ref: int = 0


class Report(Message):
    """Report a line of chat to the operator."""

    type: Literal["report"]
    line: int  # its `id`
    reason: Literal["insult", "spam", "cheating", "other"]
    ref: int = 0


class Pong(Message):
    """The answer to a ping."""

    type: Literal["pong"]


FromClient = Annotated[
    Sit
    | Stand
    | Return
    | Ready
    | SetBot
    | Remove
    | Act
    | Commit
    | Reveal
    | Describe
    | Say
    | Block
    | Report
    | Pong,
    Field(discriminator="type"),
]


# --- at a table: server to client -----------------------------------------------------


class TableMessage(Message):
    """The table changed: who sits, who is ready, chips, status."""

    type: Literal["table"] = "table"
    table: TableInfo
    you: int  # your seat, -1: a watcher


class ShareInfo(Message):
    """The share of one person who is asked. What you may not know yet, or did not arrive, is null."""

    seat: int
    commitment: str | None
    reveal: str | None


class SharesInfo(Message):
    """Who contributes to the seed of a hand."""

    commitment: str  # of the server's share
    seed: str | None  # the server's share, when the hand is over
    seats: list[ShareInfo]  # the people who were asked


class SharesMessage(Message):
    """The exchange before hand `hand`, from which its seed comes.

    In phase "commit" every person in `seats` must send `commit` within five seconds, in phase "reveal"
    everyone who has committed must send `reveal`.
    """

    type: Literal["shares"] = "shares"
    hand: int
    phase: Literal["commit", "reveal", "dealt", "over"]
    shares: SharesInfo


class ClockInfo(Message):
    """How long the viewer has for its current decision, in milliseconds from now."""

    left: int
    total: int


class State(Message):
    """What the viewer may know of the current hand. `events` lead from the version last sent to this one."""

    type: Literal["state"] = "state"
    hand: int
    seat: int  # whose view this is, -1: a watcher
    version: int
    events: list[dict[str, Any]]
    lines: list[LogLine | None]  # of the events, for the log; null if there is nothing to log
    view: dict[str, Any]
    legal: list[int]  # the viewer's legal actions; empty if it is not asked
    turn: int | None  # the seat to move if that is public, else null
    clock: ClockInfo | None
    turn_clock: ClockInfo | None = None  # of the person at `turn`, for everyone
    over: bool
    payoff: list[int] | None
    commitment: str
    seed: str | None  # hex, when the hand is over
    opened: dict[str, dict[str, Any]] | None  # by seat, when over: everyone's view


class Choice(Message):
    """An action that may be picked next, as the game writes it."""

    action: int
    label: str
    ends: bool  # whether it completes the move


class Described(Message):
    """The answer to Describe: the contents of `state` in the game's words."""

    type: Literal["described"] = "described"
    ref: int
    hand: int
    version: int
    picked: list[int]
    complete: bool  # whether the picked actions are a whole move
    drawing: str  # of the position; while the move is incomplete, with what is picked
    legal: list[Choice]  # after what is picked; empty if the viewer is not asked or the move is complete
    since: int
    log: list[str]  # one line per event, from version `since` on; "" if the game logs nothing


class Chat(Message):
    """A line of chat, as plain text: the page escapes it."""

    type: Literal["chat"] = "chat"
    id: int  # number of the line, to report it or to block who wrote it
    who: str  # the same for all lines of one guest at this table; "" for lines of earlier versions
    seat: int  # -1: a watcher
    name: str
    text: str
    at: float


class Done(Message):
    """Request `ref` was carried out; for an act: it is stored durably."""

    type: Literal["done"] = "done"
    ref: int


class Refused(Message):
    """Request `ref` was refused, and nothing changed. Codes are stable."""

    type: Literal["refused"] = "refused"
    ref: int
    code: str
    message: str


class Ping(Message):
    """Answer with pong within ten seconds."""

    type: Literal["ping"] = "ping"


FromServer = Annotated[
    Lobby | LobbyChange | TableMessage | SharesMessage | State | Described | Chat | Done | Refused | Ping,
    Field(discriminator="type"),
]


# --- replay, history, lessons ----------------------------------------------------------


class Frame(Message):
    """One ply of a finished hand, with everything visible."""

    ply: int
    seat: int  # the seat that moved, -1 for the first frame
    actions: list[int]
    events: list[dict[str, Any]]  # as told to a watcher who can see every view
    lines: list[LogLine | None]  # of the events, for the log
    views: dict[str, dict[str, Any]]  # by seat, and "-1"


class Replay(Message):
    """GET /api/tables/<id>/replay/<hand>?start=0&count=50."""

    table: str
    game: str
    hand: int
    options: dict[str, str | int]
    names: list[str]
    seat: int  # where the requester sat, -1 for anyone else
    plies: int  # frames are 0 to plies
    payoff: list[int]
    commitment: str
    seed: str
    shares: SharesInfo | None  # null: the server drew the seed alone
    key: str | None  # the public key that signed the record; null for older hands
    digest: str
    frames: list[Frame]


class SigningKey(Message):
    """A public Ed25519 key in hexadecimal, and when this server first used it (seconds since 1970)."""

    key: str
    since: float


class SigningKeys(Message):
    """GET /.well-known/qipai-key.json: the key that signs records, and all keys that ever did."""

    algorithm: Literal["Ed25519"]
    key: str
    keys: list[SigningKey]  # oldest first


class Result(Message):
    """One hand of a guest's history."""

    table: str
    hand: int
    game: str
    seat: int
    names: list[str]
    payoff: list[int]
    at: float


class History(Message):
    """GET /api/history?before=...&count=50: the guest's hands, newest first, and totals by game."""

    results: list[Result]
    totals: dict[str, dict[str, int]]  # by game: hands, won, lost, drawn, payoff; over all hands
    more: str | None = None  # `before` of the next page; null: there are no older hands


class LessonStep(Message):
    """A decision of the lesson; if the learner is asked, `actions` is what to choose."""

    frame: Frame  # the position before the decision, with the events that led to it
    seat: int  # who decides
    legal: list[int]
    actions: list[int]
    say: Words  # what the coach says here; may be empty
    touch: Words = {}  # said instead on a touch screen, where there are no keys


class Lesson(Message):
    """GET /api/lessons/<game>: a one-minute guided first game, played through by the page."""

    game: str
    seat: int  # the learner's
    names: list[str]
    options: dict[str, str | int]
    steps: list[LessonStep]
    last: Frame
    payoff: list[int] | None = None  # if the lesson ends the game
    close: Words


class Problem(Message):
    """Every error of /api: the HTTP status gives the kind, the code is stable."""

    code: str
    message: str
