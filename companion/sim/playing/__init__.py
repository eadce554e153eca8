"""Bots that play a game with their hands: one module per game, what they share in `steps`."""
