"""Valhal in lines of text: every action, written and read."""
