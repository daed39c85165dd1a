"""Rule cards: the words, parameters, sources and examples of each rule."""
