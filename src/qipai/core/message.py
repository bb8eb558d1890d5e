"""Sentences for players: `messages/{en,zh,ja}.json` files, and how a sentence is filled in.

A file maps keys to texts. A text is a small subset of ICU MessageFormat, which the page reads too
(`front/src/lib/message.ts`; `tests/core/message_cases.json` holds both to the same results):

    {card}                                        a value: a number, a word, a seat's name, a nested line
    {n, plural, =0 {none} one {# card} other {# cards}}    by number; `#` is the number
    {by, select, you {turn} other {turns}}        by word; a seat is `you` for its own viewer, else `other`
    {by, whose}                                   a seat's possessive: your, Lan's, 小梅的
    {chips, signed}                               a number with its sign: +2, −1, 0

A *line* is a key with its values, `["log.play", {"by": {"seat": 1}, "card": ["card.niu", {}]}]`. It is
JSON, so it can be sent to a page that fills it in in its reader's language. A value is a number, a
word, `{"seat": k}`, another line, or `{"list": [values]}`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from .errors import BadWording

LANGUAGES = ("en", "zh", "ja")
FALLBACK = "en"
COMMON = "qipai.core"  # the package with the messages that every game shares

Line = tuple[str, dict[str, Any]]


# --- texts ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Field:
    """A placeholder: the name of the value, its format, and the cases of `plural` and `select`."""

    name: str
    form: str = ""
    cases: tuple[tuple[str, Template], ...] = ()


Template = tuple["str | Field", ...]
FORMS = ("", "plural", "select", "whose", "signed")
_NAME = re.compile(r"\s*([A-Za-z_]\w*)\s*")
_CASE = re.compile(r"\s*(=\d+|[\w.-]+)\s*\{")


@cache
def parse_text(text: str) -> Template:
    """Return the parts of a text; raise `BadWording` if it is malformed."""
    parts, end = _parse(text, 0, 0)
    if end != len(text):
        raise BadWording(f"message {text[:60]!r}: a closing brace without an opening one")
    return parts


def _parse(text: str, at: int, depth: int) -> tuple[Template, int]:
    parts: list[str | Field] = []
    while at < len(text):
        brace = min((i for i in (text.find("{", at), text.find("}", at)) if i >= 0), default=len(text))
        if brace > at:
            parts.append(text[at:brace])
        at = brace
        if at < len(text) and text[at] == "}":
            break
        if at < len(text):
            field, at = _parse_field(text, at + 1, depth)
            parts.append(field)
    return tuple(parts), at


def _parse_field(text: str, at: int, depth: int) -> tuple[Field, int]:
    """Parse the text after an opening brace, up to and including the matching closing brace."""
    fault = BadWording(f"message {text[:60]!r}: malformed placeholder at {at}")
    name = _NAME.match(text, at)
    if name is None or depth > 3:
        raise fault
    at = name.end()
    form, cases = "", []
    if text[at : at + 1] == ",":
        kind = _NAME.match(text, at + 1)
        if kind is None or kind[1] not in FORMS:
            raise fault
        form, at = kind[1], kind.end()
    if form in ("plural", "select"):
        if text[at : at + 1] != ",":
            raise fault
        at += 1
        while (case := _CASE.match(text, at)) is not None:
            body, at = _parse(text, case.end(), depth + 1)
            if text[at : at + 1] != "}":
                raise fault
            cases.append((case[1], body))
            at += 1
        if "other" not in dict(cases):
            raise BadWording(f"message {text[:60]!r}: {name[1]} has no case `other`")
        at += len(text[at:]) - len(text[at:].lstrip())
    if text[at : at + 1] != "}":
        raise fault
    return Field(name[1], form, tuple(cases)), at + 1


def people(lang: str = FALLBACK) -> list[str]:
    """Return the names that bots at a table go by, in play order from the first."""
    texts = _read(COMMON).texts(lang)
    return [text for key, text in texts.items() if key.startswith("person.")]


def placeholders(text: str) -> set[str]:
    """Return the names of the values that a text uses, including those in its cases."""

    def walk(parts: Template) -> Iterator[str]:
        for part in parts:
            if isinstance(part, Field):
                yield part.name
                for _, body in part.cases:
                    yield from walk(body)

    return set(walk(parse_text(text)))


# --- files ----------------------------------------------------------------------------


class Messages:
    """The sentences of one package in every language, with the common messages as a fallback."""

    def __init__(
        self, texts: Mapping[str, Mapping[str, str]], shared: bool = True, package: str | None = None
    ) -> None:
        self._texts = {lang: dict(found) for lang, found in texts.items()}
        self.package = package  # the package that the texts come from, if they come from one
        self._shared = shared  # whether to fall back to the common messages

    @classmethod
    def of_package(cls, package: str) -> Messages:
        """Read `messages/*.json` of a package; raise `BadWording` if a file cannot be read."""
        return _read(package)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of this package."""
        return tuple(self._texts)

    def texts(self, lang: str) -> dict[str, str]:
        """Return the texts of one language by key, without the common ones."""
        return dict(self._texts.get(lang, {}))

    def find(self, key: str, lang: str = FALLBACK) -> str | None:
        """Return the text of a key in `lang`, else in English, else the common one, else None."""
        for wanted in (lang, FALLBACK):
            found = self._texts.get(wanted, {}).get(key)
            if found is not None:
                return found
        return _read(COMMON).find(key, lang) if self._shared else None

    def say(self, key: str, lang: str = FALLBACK, /, **values: Any) -> str:
        """Return the sentence for `key` with its values filled in."""
        return self.tell((key, values), lang)

    def tell(
        self, line: Sequence[Any], lang: str = FALLBACK, names: Sequence[str] | None = None, viewer: int = -1
    ) -> str:
        """Return a line as a sentence. Seats are called by `names`, and the viewer's own seat is "you"."""
        return _Filling(self, lang, names, viewer).line(line)

    def everywhere(self, key: str) -> dict[str, str]:
        """Return a text without values in every language that has it."""
        found = {lang: self.find(key, lang) for lang in LANGUAGES}
        return {lang: text for lang, text in found.items() if text is not None}

    def faults(self, languages: Sequence[str] = ()) -> list[str]:
        """Return a list of problems: missing languages or keys, different placeholders, malformed texts."""
        found = [f"no file for {lang}" for lang in languages if lang not in self._texts]
        keys = sorted({key for texts in self._texts.values() for key in texts})
        for key in keys:
            have = {lang: texts[key] for lang, texts in self._texts.items() if key in texts}
            found += [f"{key}: missing in {lang}" for lang in self._texts if lang not in have]
            asked: dict[str, set[str]] = {}
            for lang, text in have.items():
                try:
                    asked[lang] = placeholders(text)
                except BadWording as error:
                    found.append(f"{key} ({lang}): {error}")
            every = set().union(*asked.values())
            found += [
                f"{key}: {lang} lacks {{{name}}}"
                for lang, names in asked.items()
                for name in sorted(every - names)
            ]
        return found


@cache
def _read(package: str) -> Messages:
    texts: dict[str, dict[str, str]] = {}
    folder = files(package).joinpath("messages")
    for lang in LANGUAGES:
        path = folder.joinpath(f"{lang}.json")
        if not path.is_file():
            continue
        try:
            found = json.loads(path.read_text("utf-8"))
        except ValueError as error:
            raise BadWording(f"{package}: messages/{lang}.json is not JSON: {error}") from error
        if not isinstance(found, dict) or not all(isinstance(text, str) for text in found.values()):
            raise BadWording(f"{package}: messages/{lang}.json must map keys to texts")
        texts[lang] = found
    return Messages(texts, shared=package != COMMON, package=package)


# --- filling in -----------------------------------------------------------------------


class _Filling:
    """Fills in lines for one reader."""

    def __init__(self, messages: Messages, lang: str, names: Sequence[str] | None, viewer: int) -> None:
        self._messages = messages
        self._lang = lang
        self._names = names
        self._viewer = viewer

    def line(self, line: Sequence[Any], opening: bool = True) -> str:
        """Return a line as text; `opening` says that it starts a sentence."""
        key, values = line
        text = self._messages.find(key, self._lang)
        if text is None:
            raise BadWording(f"there is no message {str(key)[:60]!r}")
        return self._fill(parse_text(text), values, None, opening)

    def _fill(self, parts: Template, values: Mapping[str, Any], number: int | None, opening: bool) -> str:
        found = ""
        for part in parts:
            if isinstance(part, Field):
                found += self._field(part, values, first=opens(found, opening), number=number)
            else:
                found += part if number is None else part.replace("#", str(number))
        return found

    def _field(self, field: Field, values: Mapping[str, Any], first: bool, number: int | None) -> str:
        if field.name not in values:
            raise BadWording(f"a message uses {field.name!r}, which its line does not provide")
        value = values[field.name]
        if field.form == "plural":
            return self._fill(_plural(field, int(value), self._lang), values, int(value), first)
        if field.form == "select":
            return self._fill(_select(field, self._word(value)), values, number, first)
        if field.form == "signed":
            return signed(int(value))
        if _is_seat(value):
            form = "whose" if field.form == "whose" else "who"
            return self._seat(int(value["seat"]), form, first)
        return self._value(value, first)

    def _value(self, value: Any, first: bool) -> str:
        if _is_seat(value):
            return self._seat(int(value["seat"]), "who", first)
        if isinstance(value, Mapping) and "list" in value:
            gap = self._messages.find("list.gap", self._lang) or ", "
            return gap.join(self._value(item, first and i == 0) for i, item in enumerate(value["list"]))
        if isinstance(value, list | tuple):
            return self.line(value, first)
        return str(value)

    def _seat(self, seat: int, form: str, first: bool) -> str:
        """Return a seat's name or possessive; "you" for the viewer. Names are never capitalised."""
        if seat == self._viewer:
            return _opening(self._messages.say(f"you.{form}", self._lang), first)
        if self._names is not None and 0 <= seat < len(self._names):
            name = str(self._names[seat])
        else:
            name = _opening(self._messages.say("seat", self._lang, n=seat), first)
        return name if form == "who" else self._messages.say("name.whose", self._lang, name=name)

    def _word(self, value: Any) -> str:
        """Return the word that `select` matches."""
        if _is_seat(value):
            return "you" if value["seat"] == self._viewer else "other"
        return str(value[0]) if isinstance(value, list | tuple) else str(value)


def signed(n: int) -> str:
    """Return a gain or a loss with its sign: +2, −1, 0."""
    return f"+{n}" if n > 0 else f"−{-n}" if n < 0 else "0"


def opens(before: str, opening: bool) -> bool:
    """Return whether the text after `before` starts a sentence."""
    text = before.rstrip()
    return text[-1] in ".!?。！？" if text else opening


def seat_value(seat: int) -> dict[str, int]:
    """Return a seat as a value of a line."""
    return {"seat": int(seat)}


def list_value(items: Sequence[Any]) -> dict[str, list[Any]]:
    """Return several values as one value of a line."""
    return {"list": list(items)}


def _is_seat(value: Any) -> bool:
    return isinstance(value, Mapping) and "seat" in value


def _opening(text: str, first: bool) -> str:
    """Capitalise a word that starts a sentence: "You", "Seat 2"."""
    return text[:1].upper() + text[1:] if first else text


def _plural(field: Field, n: int, lang: str) -> Template:
    cases = dict(field.cases)
    one = "one" if lang == "en" and abs(n) == 1 else "other"
    return next(cases[case] for case in (f"={n}", one, "other") if case in cases)


def _select(field: Field, word: str) -> Template:
    cases = dict(field.cases)
    return cases.get(word, cases["other"])
