"""Measurements of a device beside the predictions of the model."""

from advisor.predict.comparison.compared import Compared, compared
from advisor.predict.comparison.of_bundle import measured
from advisor.predict.comparison.rates import Rate, rates_of

__all__ = ["Compared", "Rate", "compared", "measured", "rates_of"]
