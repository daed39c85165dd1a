"""Checks of link fragmentation and interleaving."""
