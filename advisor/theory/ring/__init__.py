"""The transmit ring: what it adds to the delay of the LLQ."""
