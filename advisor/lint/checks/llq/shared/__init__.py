"""What the rules on the low-latency queue share."""
