"""The table in the terminal: people and bots play one game, shown by its screen or described in words.

Nothing here names a game. A game may provide its own screen (`Terminal.screen`); `screen.py` has the
interface.
Everything except `manual` and `words` needs the extra `qipai[play]`.
"""
