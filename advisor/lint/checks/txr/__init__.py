"""Checks of the transmit ring."""
