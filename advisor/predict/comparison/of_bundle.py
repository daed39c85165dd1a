"""What was measured of the device of a bundle beside what is predicted of it."""

from advisor.device.reading import Source, read_source
from advisor.predict.comparison.compared import Compared, compared
from advisor.predict.comparison.rates import Rate, rates_of
from advisor.settings.values import Settings


def measured(source: Source, settings: Settings) -> tuple[tuple[Compared, ...], tuple[Rate, ...]]:
    """Compare a bundle with its predictions; nothing where it is none.

    Returns
    -------
    tuple
        A row for each quantity that was measured, and the rates that two samples give.
    """
    if source.capture is None or not source.is_bundle:
        return (), ()
    rates = tuple(rates_of(source.capture))
    return tuple(compared(read_source(source, settings).device, settings, rates)), rates
