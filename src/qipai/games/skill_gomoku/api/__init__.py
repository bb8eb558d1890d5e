"""The named API of Skill Gomoku: states, events, log, views and JSON under the names of the specification.

It computes no rules. `machine.TurnMachine` translates names to actions and the state record to named
documents, and calls the rules of `rules.py` for everything else; `match.SkillGomokuMatch` adds records
and observations. The package `qipai.games.skill_gomoku` exports the public names.
"""
