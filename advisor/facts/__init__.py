"""What a configuration says, typed, each fact with the line that says it."""
