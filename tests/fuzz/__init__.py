"""Structure-aware fuzz of every reader and every command: `python -m tests.fuzz SEED COUNT`.

A case is made of a seed and an index alone. What holds for every input stands in `oracles`.
"""
