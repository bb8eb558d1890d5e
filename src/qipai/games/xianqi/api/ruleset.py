"""Xianqi's named API: its options by name (§4.6, §9), and as integers of the state.

The options of play are in `options.py`; this module has their external forms, the two options that
only exist in the named API (`after_settle`, `reveal_ask`) and those that are not supported.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qipai.core import SWITCH

from ..options import OPTIONS
from .refusals import config_error

Rules = dict[str, Any]  # every option, by name

_PLAYED = {o.name: o for o in OPTIONS if o.name != "first_seat"}  # the other one is part of the config
SWITCHES = tuple(name for name, o in _PLAYED.items() if o.choices == SWITCH)
CHOICES: dict[str, tuple[str, ...]] = {
    **{name: tuple(o.choices or ()) for name, o in _PLAYED.items() if name not in SWITCHES},
    "after_settle": ("finished", "stay"),
    "reveal_ask": ("first_reveal_ends",),
}
# In the specification, but not supported here; only "off" is accepted.
REFUSED = ("head_holder", "draw_for_lead")

DEFAULTS: Rules = {**{n: values[0] for n, values in CHOICES.items()}, **dict.fromkeys(SWITCHES, False)}
LATER: Rules = {
    "dog_pair": "equal_red_shi",
    "black_chess": "redeal",
    "round_open": "buckle_first",
    "after_settle": "stay",
}


def read_rules(given: Any, base: Mapping[str, Any] = DEFAULTS) -> Rules:
    """Return all options: `base`, overridden by `given` (an object, "later" or nothing)."""
    rules = dict(base)
    if given is None:
        return rules
    if isinstance(given, str) and given == "later":
        given = LATER
    if not isinstance(given, dict):
        raise config_error("rules must be an object from option to value, or the word 'later'")
    for name, value in given.items():
        if not isinstance(name, str) or (name not in DEFAULTS and name not in REFUSED):
            raise config_error(f"unknown option {_short(name)}")
        _check(name, value)
        if name in rules:
            rules[name] = value
    return rules


def differing(rules: Rules) -> Rules:
    """Return the options that differ from their default: those that a dump contains."""
    return {name: value for name, value in rules.items() if value != DEFAULTS[name]}


def numbers(rules: Rules) -> dict[str, int]:
    """Return the options of play as integers of the state."""
    return {name: option.read(rules[name]) for name, option in _PLAYED.items()}


def _check(name: str, value: Any) -> None:
    if name in REFUSED:
        if value is not None and value is not False:
            raise config_error(f"option {name} is not supported", option=name)
    elif name in SWITCHES:
        if not isinstance(value, bool):
            raise config_error(f"option {name} must be true or false", option=name)
    elif not isinstance(value, str) or value not in CHOICES[name]:
        if name == "reveal_ask" and isinstance(value, str) and value == "ask_all":
            raise config_error("option reveal_ask='ask_all' is not supported", option=name)
        known = ", ".join(CHOICES[name])
        raise config_error(f"option {name}: {_short(value)} is not one of {known}", option=name)


def _short(value: Any) -> str:
    return repr(value[:40]) if isinstance(value, str) else f"a value of type {type(value).__name__}"
