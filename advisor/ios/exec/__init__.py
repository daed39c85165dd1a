"""The exec of a device: prompts, typed commands, and what its terminal shows."""
