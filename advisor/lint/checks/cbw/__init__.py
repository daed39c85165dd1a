"""Checks of class-based weighted fair queueing."""
