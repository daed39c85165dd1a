"""Checks of queues and their limits."""
