"""Checks of CPU load."""
