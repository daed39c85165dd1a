"""IOS text to syntax tree and back, and edits on the tree as IOS would make them."""
