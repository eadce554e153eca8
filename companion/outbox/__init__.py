"""A box tells a hub what happened at its table. The journal is the outbox: what the hub has not
heard is simply still there, and nothing else is kept."""
