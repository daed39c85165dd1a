"""A TCP flow under random drops."""
