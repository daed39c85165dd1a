"""The errors that a user can do something about, at the border of the house."""

import functools
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from advisor.cli.errors import WrongUseError
from advisor.report.printable import printable

P = ParamSpec("P")
R = TypeVar("R")


def says_what_is_wrong(*errors: type[Exception]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let these errors of a job end as wrong use, with their message made printable."""

    def decorate(job: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(job)
        def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
            try:
                return job(*args, **kwargs)
            except errors as error:
                raise WrongUseError(printable(str(error))) from error

        return wrapped

    return decorate
