"""Checks of references and attachment."""
