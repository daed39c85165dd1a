"""Reports as one HTML file that needs no network: what hurts, where the delay is, what cures it."""
