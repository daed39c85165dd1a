"""One device: its configuration, its show outputs, its platform, and what other devices say of it."""
