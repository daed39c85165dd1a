"""What was measured of the device of a bundle beside what is predicted of it."""

from advisor.device.reading import Source, read_source
from advisor.predict.comparison.compared import compared
from advisor.predict.comparison.rates import Rate, rates_of, with_remarks
from advisor.predict.comparison.row import Compared
from advisor.settings.values import Settings
from advisor.shows.samples import sample_pairs


def measured(source: Source, settings: Settings) -> tuple[tuple[Compared, ...], tuple[Rate, ...]]:
    """Compare a bundle with its predictions; nothing where it is none.

    Returns
    -------
    tuple
        A row for each quantity that was measured, and the rates that two samples give.
    """
    capture = source.capture
    if capture is None or not source.is_bundle:
        return (), ()
    rates = rates_of(capture.device or capture.file, sample_pairs(capture))
    device = read_source(source, settings).device
    return tuple(compared(device, settings, rates)), with_remarks(rates, device.seen)
