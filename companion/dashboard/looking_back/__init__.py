"""Games that were played: read-only, step by step. Nobody else's page changes."""
