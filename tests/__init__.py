"""Tests of the product and of its tools."""
