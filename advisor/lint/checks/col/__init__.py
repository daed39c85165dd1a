"""Checks of how whole a capture is."""
