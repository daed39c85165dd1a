"""One device: configuration, show outputs, platform, and what other devices say of it."""
