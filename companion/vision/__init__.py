"""From pixels to sightings: find what lies there, place its corners, read what it is."""
