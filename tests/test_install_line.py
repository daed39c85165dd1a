"""What a message names to install an extra."""

from importlib import metadata
from types import SimpleNamespace

import pytest

from advisor.ground.assets import install_line


@pytest.mark.parametrize(
    ("origin", "line"),
    [
        pytest.param(None, "pip install 'ios-advisor[demo]'", id="from an index"),
        pytest.param(
            '{"url": "file:///opt/advisor"}', "pip install '/opt/advisor[demo]'", id="a clone"
        ),
        pytest.param(
            '{"url": "file:///my%20tools"}', "pip install '/my tools[demo]'", id="a blank"
        ),
        pytest.param(
            '{"url": "https://e.org/a.whl"}', "pip install 'ios-advisor[demo]'", id="a URL"
        ),
        pytest.param("{", "pip install 'ios-advisor[demo]'", id="a broken record"),
    ],
)
def test_the_line_names_where_advisor_came_from(
    origin: str | None, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = SimpleNamespace(read_text=lambda _name: origin)
    monkeypatch.setattr(metadata, "distribution", lambda _name: known)
    assert install_line("demo") == line
