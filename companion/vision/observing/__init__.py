"""The eye of the live table: when to look, what changed, what is remembered."""
