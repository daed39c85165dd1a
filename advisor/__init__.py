"""Cisco IOS config analyzer and advisor."""

__version__ = "0.1.0"
