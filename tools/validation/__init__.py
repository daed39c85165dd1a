"""What the model says beside what was simulated and measured; `python -m tools.validation`."""
