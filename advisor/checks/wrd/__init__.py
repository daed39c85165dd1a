"""Checks of WRED."""
