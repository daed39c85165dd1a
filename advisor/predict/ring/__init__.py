"""The ring behind an output: its bound, and the inputs of its prediction."""
