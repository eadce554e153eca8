"""The pages of a table that a camera watches, or that plays by itself."""
