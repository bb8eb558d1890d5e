"""The games: one package each, all with the same files."""
