"""A whole club tried out: real servers, simulated boxes that play, and everything that can break
breaking in turn. `companion sim-club` and `companion bench-hub`."""
