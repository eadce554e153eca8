"""Finding the table without markers, and noticing that the camera has moved."""
