"""Reading what was found: cards, dice and tokens."""
