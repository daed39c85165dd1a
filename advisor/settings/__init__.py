"""Statements of the user: settings, traffic, scenarios."""
