"""Property tests search anew on a contributor's machine, and repeat the same cases in CI.

They belong to the slow tier: each tries some fifty cases, with `--hypothesis-profile thorough` six
times as many where it does not say how many.
"""

import gc
import os
from collections.abc import Generator
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

import pytest
from hypothesis import is_hypothesis_test, settings

from tests.support.runs import SHARED

_LONGEST = "test_fuzz.py"
_TESTS = Path(__file__).parent

_COLLECT_EVERY = 200_000  # new objects, as in the command: twenty thousand tests are no garbage

settings.register_profile("quick", max_examples=50)
settings.register_profile("ci", max_examples=50, derandomize=True)
settings.register_profile("thorough", max_examples=300)
settings.load_profile("ci" if os.environ.get("CI") else "quick")


@pytest.hookimpl(optionalhook=True)  # the oracle has an environment without workers
def pytest_xdist_auto_num_workers() -> int:
    """Add a worker to one a core: sessions over loopback wait more than they compute."""
    return (os.cpu_count() or 1) + 1


def pytest_configure(config: pytest.Config) -> None:
    """Give workers the files in the order below: by default those of few tests come last."""
    gc.set_threshold(_COLLECT_EVERY)
    if SHARED not in os.environ:  # workers have it of the process that starts them
        os.environ[SHARED] = mkdtemp(prefix="advisor-tests-")
        config.add_cleanup(lambda: rmtree(os.environ.pop(SHARED)))
    if hasattr(config.option, "loadscopereorder"):
        config.option.loadscopereorder = False


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path,
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for doctests in the product alone: to look at each function of the tests takes seconds."""
    found = yield
    return [
        each for each in found if _TESTS not in file_path.parents or type(each) is pytest.Module
    ]


def pytest_collection_finish() -> None:
    gc.freeze()  # the tests themselves stay


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if isinstance(item, pytest.Function) and is_hypothesis_test(item.obj):
            item.add_marker(pytest.mark.slow)
    # A long file that comes last keeps one worker busy while the others have nothing to do.
    slow = {item.path for item in items if item.get_closest_marker("slow") is not None}
    items.sort(key=lambda item: (item.path.name != _LONGEST, item.path not in slow))
