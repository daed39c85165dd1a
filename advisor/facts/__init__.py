"""Typed facts of a configuration, each with the line that states it."""
