"""Hard bounds of delay, which no packet exceeds, from arrival curves and the size of the ring."""
