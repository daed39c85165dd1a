"""Show outputs as typed observations."""
