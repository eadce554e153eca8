"""Who may do what: a property of the table, not of the network."""
