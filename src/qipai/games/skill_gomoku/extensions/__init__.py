"""Matches that the compiled rules cannot play, played by plain variants of the same rules.

No rule is repeated here. `core.variant.Variant` copies the functions of `rules.py` as plain Python,
and an extension replaces the few functions in which it differs. A match is played here if it needs one
of these:

- **Cards of third parties** (`CardRegistry`). Their effects are Python functions, which compiled code
  cannot call.
- **`allowReselect`**. Cards are discarded at `resolve` instead of at `choose`. The compiled rules have no
  such option (`options.MACHINE_ONLY`), because every match would pay for testing it.
- **Pinned sequences** (`TurnMachine(..., pinned=True)`). The specification gives some games down to the
  numbers of the original's generator (mulberry32). The state uses a different one.
- **More room**: boards of 1 to 4 or 20 to 25 lines, more than 64 cards, turn limits above 30,000. The
  compiled state is fixed at 19 x 19 cells and 64 cards; `wide.py` has the same fields, sized per match.

The functions of the named API on bare boards and piles (`can_play`, `scan_wins`, `draw_cards`, ...) use the
same plain rules, because they accept any size. `confirmEnd` and `paced` need no extension: the turn
machine only pauses between two steps of the compiled rules.

Two things are defined only here: operations (`ops.py`), the language in which a third party's card describes
its effect, and planes built from a view (`planes.py`), for matches that do not fit an observation's bytes.
"""
