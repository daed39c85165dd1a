"""From a device to model inputs, each with its basis, and on to predictions."""
