"""Xianqi's named API (§6 of its specification), over the compiled rules.

`engine` has the calls, `document` reads the JSON document of a game, `steps` passes actions to the compiled
rules, `mapping` keeps document and state consistent, `position` builds the views of a position and `output`
the results of calls. `combos` lists the combos of a hand, `flat` numbers whole moves, `ruleset` reads
options by name and `refusals` defines the errors.
"""

from .combos import enumerate_combos
from .engine import XianqiGameEngine
from .flat import flat_mask, flat_to_native, flat_to_request, native_to_flat
from .refusals import CODES, EngineError, InvalidState

__all__ = [
    "CODES",
    "EngineError",
    "InvalidState",
    "XianqiGameEngine",
    "enumerate_combos",
    "flat_mask",
    "flat_to_native",
    "flat_to_request",
    "native_to_flat",
]
