"""Edits on a configuration as IOS makes them, and the lines that undo them."""
