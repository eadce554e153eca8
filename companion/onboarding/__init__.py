"""From an empty box to a watched game: what the page and the commands do to get there."""
