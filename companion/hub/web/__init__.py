"""The hub in a browser, and its door for boxes: pages of clubs, what their owners do, the hall
live."""
