"""Differences of two states of the same devices: findings, and predictions of classes."""
