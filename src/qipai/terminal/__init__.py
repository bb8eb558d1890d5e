"""The terminal table: people and bots around one game, drawn by its screen or described in its own words.

Names no game. A game may bring a screen of its own (`Terminal.screen`); `screen.py` says what one is.
Everything but `manual` and `words` needs the extra `qipai[play]`.
"""
