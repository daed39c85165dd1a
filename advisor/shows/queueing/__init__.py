"""`show queueing` and `show queue`."""
