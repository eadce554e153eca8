"""Reading single pictures that somebody took by hand."""
