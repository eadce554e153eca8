"""Valhal."""
