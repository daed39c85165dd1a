"""`show atm pvc` and `show atm vc`."""
