"""How the models are made, from nothing but our own drawings: see models/README.md."""
