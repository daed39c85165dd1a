"""`show policy-map` and `show policy-map interface`."""
