"""What several rules on queue limits share."""
