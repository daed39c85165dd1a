"""What the rules on WRED share."""
