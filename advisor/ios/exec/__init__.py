"""The exec of a device: prompts, typed commands, and the text on its terminal."""
