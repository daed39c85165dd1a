"""Cisco IOS config analyzer and advisor."""

__version__ = "0.1.0"

DOCS_URL = ""  # where the pages of the rules are published; ADVISOR_DOCS_URL names another place
