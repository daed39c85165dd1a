"""What some tests read besides this repository: real configurations, scenarios, tables of claims.

None of it is part of the project. A test that needs it is skipped, with a reason, where it is not.
"""

from pathlib import Path

import pytest

_OUTSIDE = Path(__file__).parents[3] / "shared"
CORPUS = _OUTSIDE / "corpus"
VALIDATION = _OUTSIDE / "validation"
FACTS = _OUTSIDE / "facts"


def needs(*paths: Path) -> pytest.MarkDecorator:
    """Skip a test visibly where one of the paths is missing."""
    missing = [path.relative_to(_OUTSIDE) for path in paths if not path.exists()]
    reason = f"{missing[0]} is not part of this repository" if missing else ""
    return pytest.mark.skipif(bool(missing), reason=reason)
