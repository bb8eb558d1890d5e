"""Agents that play every game; the agents of a single game are in its `bots/`."""
