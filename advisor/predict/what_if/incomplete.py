"""The caution on figures of a device that was not read completely."""

from collections.abc import Sequence

from msgspec.structs import replace

from advisor.predict.what_if.prediction import Prediction, Unpredicted


def with_caution(
    predictions: Sequence[Prediction], incomplete: Sequence[str]
) -> tuple[Prediction, ...]:
    """The predictions, each with the first reason why the input is incomplete as a weakness."""
    if not incomplete:
        return tuple(predictions)
    more = f", and {len(incomplete) - 1} more" if len(incomplete) > 1 else ""
    caution = f"the input is incomplete, what it lacks may change this: {incomplete[0]}{more}"
    return tuple(
        each if isinstance(each, Unpredicted) else replace(each, weak=(*each.weak, caution))
        for each in predictions
    )
