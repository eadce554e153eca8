"""Where cards, dice and tokens lie in a picture."""
