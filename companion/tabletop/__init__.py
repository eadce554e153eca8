"""What lies on a table, where, in millimetres. Pure."""
