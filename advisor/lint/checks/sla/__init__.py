"""Checks of IP SLA probes and what they measured."""
