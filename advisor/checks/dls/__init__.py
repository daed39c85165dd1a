"""Checks of DLSw+."""
