"""One table: seats, the hand in play, bots, clocks and what each viewer is sent."""
