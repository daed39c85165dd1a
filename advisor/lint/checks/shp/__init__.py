"""Checks of shapers."""
