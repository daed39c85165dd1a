"""Cuts captures into sections."""
