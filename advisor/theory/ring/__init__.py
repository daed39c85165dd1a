"""The transmit ring: the delay that it adds to the LLQ."""
