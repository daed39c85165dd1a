"""One output point: every rate, ring, framing, queue and offer, once."""
