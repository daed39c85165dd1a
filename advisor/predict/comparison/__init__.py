"""Measurements of a device beside the predictions of the model."""

from advisor.predict.comparison.compared import compared
from advisor.predict.comparison.of_bundle import measured
from advisor.predict.comparison.rates import Rate, rates_of
from advisor.predict.comparison.row import Compared

__all__ = ["Compared", "Rate", "compared", "measured", "rates_of"]
