"""Numbers and units, files, faults and words: all that knows no network."""
