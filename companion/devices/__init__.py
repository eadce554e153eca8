"""Parts with wires: each opened in one place, each with a faithful stand-in."""
