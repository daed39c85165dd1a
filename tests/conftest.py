"""Property tests search anew on a contributor's machine, and repeat the same cases in CI.

They belong to the slow tier: each tries about a hundred cases.
"""

import os

import pytest
from hypothesis import is_hypothesis_test, settings

settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if isinstance(item, pytest.Function) and is_hypothesis_test(item.obj):
            item.add_marker(pytest.mark.slow)
