"""What the rules on shapers share."""
