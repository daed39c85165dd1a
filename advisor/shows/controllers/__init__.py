"""`show controllers`."""
