"""WRED and TCP: the fixed point of shares, drops and delay."""
