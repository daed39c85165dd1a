"""DLSw+ sizes: what a router carries, what its CPU makes of it, which platform would hold it."""
