"""IOS text to a syntax tree that holds every line."""
