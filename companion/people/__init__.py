"""Who plays here, and what they have done: people, statistics and the picture of a game."""
