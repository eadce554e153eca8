"""The rules: pure values and functions, one package per game. Start at `catalog`."""
