"""Settings from requirements: the lines, their predicted effect, and their proof."""
