"""What was found, read: cards, dice, tokens."""
