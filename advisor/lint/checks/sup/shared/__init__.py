"""What the rules on suppressions share."""
