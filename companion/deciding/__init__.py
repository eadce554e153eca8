"""From readings of the table to what is entered, shown, asked or objected to. Pure."""
