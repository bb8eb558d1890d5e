"""Agents that play every game; a game's own agents are in its `bots/`."""
