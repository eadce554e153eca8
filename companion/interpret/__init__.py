"""What a table means: (state, table) to ranked readings, one module per game."""
