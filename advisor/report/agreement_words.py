"""Words for what model and simulation say of each other."""

from collections.abc import Sequence

from advisor.predict.what_if.agreement import Figured


def agreement_words(apart: Sequence[Figured]) -> str:
    """That they agree, or which figures do not.

    >>> agreement_words(())
    'model and simulation agree'
    >>> agreement_words((Figured.MEAN, Figured.MAX))
    'outside the predicted interval: mean; the longest delay is over the bound'
    """
    outside = [figure.value for figure in apart if figure is not Figured.MAX]
    said = [f"outside the predicted interval: {', '.join(outside)}"] if outside else []
    if Figured.MAX in apart:
        said.append("the longest delay is over the bound")
    return "; ".join(said) or "model and simulation agree"
