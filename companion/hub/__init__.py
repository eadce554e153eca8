"""The hub: what happens at many tables, in one place. It gathers the journals of a club's boxes,
and makes of them people, leagues, tournaments and the view of a whole hall.

Every box works without it. `intake` takes events in, `folding` makes games and results of them,
`web` shows them; `store` keeps it all, in PostgreSQL or, for a household, in SQLite."""
