"""The delay that ring and wire add to the LLQ, by closed forms."""
