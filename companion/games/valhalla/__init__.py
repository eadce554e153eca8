"""Valhalla."""
