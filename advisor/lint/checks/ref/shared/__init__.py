"""What the rules on references share."""
