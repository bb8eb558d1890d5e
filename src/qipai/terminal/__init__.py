"""The terminal table: people and bots around one game, drawn by the game's screen or in plain text.

Names no game. A game may bring a screen of its own (`Game.table`); `face.py` says what one is.
Everything but `manual` and `words` needs the extra `qipai[play]`.
"""
