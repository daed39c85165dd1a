"""CPU load of DLSw+: estimated and fitted."""
