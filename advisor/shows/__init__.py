"""What show outputs say, typed."""
