"""Tools of the repository: they are not part of the installed package."""
