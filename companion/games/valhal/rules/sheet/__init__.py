"""The owner's sheet: what is printed on one copy of Valhal."""
