"""Queueing arithmetic: numbers in, numbers out. Knows no IOS text and no configuration."""
