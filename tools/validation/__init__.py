"""The model beside simulations and measurements; `python -m tools.validation`."""
