"""Views of the running game for one phone, for a screen on the wall, and for a phone without the
box."""
