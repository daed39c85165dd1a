"""Settings from requirements: what to configure, what it gives, and the proof that it holds."""
