"""Checks of the places where policies are attached."""
