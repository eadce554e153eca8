"""Watching a live table: when to look, what has changed, what is remembered."""
