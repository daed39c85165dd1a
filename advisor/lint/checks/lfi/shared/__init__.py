"""How the lines of link fragmentation and interleaving are made."""
