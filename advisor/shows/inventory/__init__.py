"""`show inventory`: the hardware of a device."""
