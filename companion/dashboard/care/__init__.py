"""Caring for the box: its settings, its health, what it keeps, what can be printed, its buttons."""
