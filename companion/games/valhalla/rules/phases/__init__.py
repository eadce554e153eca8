"""The phases of a turn of Valhalla, one module each."""
