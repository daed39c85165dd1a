"""Renderers: a verdict, rules or predictions to text. None of them judges."""
