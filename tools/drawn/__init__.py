"""Scenarios drawn afresh, of every kind that the model answers, with their simulated results."""
