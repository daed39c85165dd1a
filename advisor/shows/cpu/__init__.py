"""`show processes cpu`: load, processes, history."""
