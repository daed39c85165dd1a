"""Each oracle finds what it is there for, and nothing in what is right."""

import pytest

from tests.fuzz.absurd import SECRET
from tests.fuzz.oracles import Ended, broken

RIGHT = [
    pytest.param("lint r1.cfg", 1, "error[REF001]: caf\u00e9\n", "", id="findings"),
    pytest.param("predict r1.cfg --format json", 0, '[{"mean_ms": 1.5}]', "", id="JSON"),
    pytest.param("predict r1.cfg --format json", 2, "", "advisor: no\n", id="wrong use of JSON"),
    pytest.param("predict r1.cfg --format csv", 0, "a,b\nr1,-1.5\n", "", id="a negative figure"),
    pytest.param(
        "fix r1.cfg", 0, "! r1\ninterface Serial0/0\n tx-ring-limit 2\n", "", id="a snippet"
    ),
    pytest.param(
        "redact r1.cfg", 0, "banner motd \x03\n", "", id="redaction keeps a line as it is"
    ),
    pytest.param("predict --scenario x", 0, "[]", "", id="scenarios are JSON by default"),
]
WRONG = [
    pytest.param("lint r1.cfg", 4, "", "", "exit code", id="a crash"),
    pytest.param("lint r1.cfg", 130, "", "", "exit code", id="an exit code of nobody"),
    pytest.param("lint r1.cfg", 0, "", "Traceback\n", "traceback printed", id="a traceback"),
    pytest.param("lint r1.cfg", 0, "a\x1b[31m\n", "", "control character", id="an escape"),
    pytest.param("lint r1.cfg", 0, "", "a\x07\n", "control character", id="a bell on stderr"),
    pytest.param("lint r1.cfg", 0, "a\u202e\n", "", "control character", id="a bidi override"),
    pytest.param("lint r1.cfg", 0, "a\x9b\n", "", "control character", id="a C1 control"),
    pytest.param("redact r1.cfg", 0, f"x {SECRET}\n", "", "secret printed", id="a secret"),
    pytest.param(
        "lint r1.cfg", 0, "".join(f"{char}\\x00" for char in SECRET), "", "secret printed",
        id="a secret in UTF-16",
    ),
    pytest.param("predict r1.cfg --format json", 0, "", "", "no JSON", id="nothing for JSON"),
    pytest.param("predict r1.cfg --format json", 0, "[NaN]", "", "no JSON", id="NaN"),
    pytest.param("lint r1.cfg --format json", 0, "{}", "", "not by the schema", id="other keys"),
    pytest.param("predict r1.cfg --format csv", 0, "a\n=1+1\n", "", "formula in CSV", id="a formula"),
    pytest.param("predict r1.cfg --format csv", 0, "a,b\n1\n", "", "no CSV", id="a short row"),
    pytest.param("predict r1.cfg", 0, "mean nan ms\n", "", "no figure", id="a mean that is none"),
    pytest.param("fix r1.cfg", 0, "--- a\n", "", "no line of IOS", id="a line that IOS refuses"),
]  # fmt: skip


def ended(words: str, code: int, stdout: str, stderr: str) -> Ended:
    return Ended(tuple(words.split()), code, stdout.encode(), stderr.encode())


@pytest.mark.parametrize(("words", "code", "stdout", "stderr"), RIGHT)
def test_nothing_is_wrong_with(words: str, code: int, stdout: str, stderr: str) -> None:
    assert list(broken(ended(words, code, stdout, stderr))) == []


@pytest.mark.parametrize(("words", "code", "stdout", "stderr", "kind"), WRONG)
def test_oracle_finds(words: str, code: int, stdout: str, stderr: str, kind: str) -> None:
    assert [fault.kind for fault in broken(ended(words, code, stdout, stderr))] == [kind]


def test_a_secret_in_the_file_of_output_is_found() -> None:
    told = Ended(("lint", "r1.cfg"), 0, b"", b"", report=SECRET.encode())
    assert [fault.kind for fault in broken(told)] == ["secret printed"]


def test_a_leak_is_named_by_the_words_that_should_have_told_of_it() -> None:
    (fault,) = broken(ended("lint r1.cfg", 0, f"1 | enable  secret 0 {SECRET}\n", ""))
    assert fault.place == "after `enable secret 0` by lint"
