"""The pages about the people who play here."""
