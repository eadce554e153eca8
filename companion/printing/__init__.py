"""Sheets to print true to scale: markers, calibration, mats, cards and a sign for the wall."""
