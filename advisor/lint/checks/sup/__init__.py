"""Suppressions: comments and tables that accept findings."""
