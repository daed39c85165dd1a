"""`show version`."""
