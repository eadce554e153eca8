"""The table companion: watches a real table and keeps the books of three Viking games."""
