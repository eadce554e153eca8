"""A table made by code: drawn faces, rendered scenes, playing bots."""
