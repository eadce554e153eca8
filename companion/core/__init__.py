"""What a game is, and the catalogue that finds the games. Pure."""
