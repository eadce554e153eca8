"""Every camera behind one Protocol: the Pi's, USB, films, simulated; and what watches over it."""
