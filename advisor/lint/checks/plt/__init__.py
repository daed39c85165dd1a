"""Checks of what a platform has, refuses, or is not judged for."""
