"""What was measured of a device beside what the model says of it."""

from advisor.comparison.compared import Compared, compared
from advisor.comparison.rates import Rate, rates_of

__all__ = ["Compared", "Rate", "compared", "rates_of"]
