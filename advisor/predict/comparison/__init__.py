"""Measurements of a device beside the predictions of the model."""

from advisor.predict.comparison.compared import compared, measured
from advisor.predict.comparison.counted import Rate, rates_of
from advisor.predict.comparison.rows import Compared

__all__ = ["Compared", "Rate", "compared", "measured", "rates_of"]
