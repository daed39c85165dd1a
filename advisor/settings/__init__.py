"""What the user states: settings, traffic, scenarios."""
