"""Property tests search anew on a contributor's machine, and repeat the same cases in CI.

They belong to the slow tier: each tries about a hundred cases.
"""

import os

import pytest
from hypothesis import is_hypothesis_test, settings

_LONGEST = "test_fuzz.py"

settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")


def pytest_configure(config: pytest.Config) -> None:
    """Give workers the files in the order below: by default those of few tests come last."""
    if hasattr(config.option, "loadscopereorder"):
        config.option.loadscopereorder = False


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if isinstance(item, pytest.Function) and is_hypothesis_test(item.obj):
            item.add_marker(pytest.mark.slow)
    # A long file that comes last keeps one worker busy while the others have nothing to do.
    slow = {item.path for item in items if item.get_closest_marker("slow") is not None}
    items.sort(key=lambda item: (item.path.name != _LONGEST, item.path not in slow))
