"""`/setup`: from an empty box to a watched game, on the page."""
