"""What the rules on the transmit ring share."""
