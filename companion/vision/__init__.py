"""From pixels to sightings: find, refine, read."""
