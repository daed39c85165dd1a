"""Shares, drops and delay under WRED, from the configuration and stated flows."""
