"""Making a deck of any cards: one picture of each, varied as a camera would see it."""
