"""Outputs of live routers over SSH, read-only: what may be asked, of whom, and how it is proven."""
