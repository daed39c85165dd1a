"""DLSw+ sizes: load of a router, CPU for it, and the platform that would hold it."""
