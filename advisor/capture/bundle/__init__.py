"""A capture on disk: a folder with a manifest and one file for each command."""
