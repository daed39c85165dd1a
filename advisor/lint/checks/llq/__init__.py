"""Checks of the low-latency queue."""
