"""Voice quality by the E-model."""
