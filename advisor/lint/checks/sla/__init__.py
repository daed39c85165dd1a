"""Checks of IP SLA probes and of their measurements."""
