"""Whole games measured against the truth: `companion track`."""
