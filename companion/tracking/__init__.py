"""From looks to things that lie on the table and what changed. Pure."""
