"""`show interfaces`."""
