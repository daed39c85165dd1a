"""What counts as a prompt, as the question for the password, and what of a question is shown."""

import pytest

from advisor.collect.question import is_for_the_password, prompt_of, question_of, shown


@pytest.mark.parametrize(
    ("seen", "prompt"),
    [
        pytest.param(b"\r\nr1#", b"r1#", id="privileged mode"),
        pytest.param(b"\r\nr1>", b"r1>", id="user mode"),
        pytest.param(b"r1-new.site_a#", b"r1-new.site_a#", id="dots, hyphens and underscores"),
        pytest.param(b"\r\n1r#", b"1r#", id="a digit first"),
        pytest.param(
            b"\r\nr1;$(id)`id`|&../../x#", b"r1;$(id)`id`|&../../x#", id="what IOS warns of"
        ),
        pytest.param(
            b"1. no copies\r\n2. no telling\r\n\r\nr1#", b"r1#", id="under a numbered banner"
        ),
        pytest.param(b"Are you allowed here?\r\nr1#", b"r1#", id="under a banner that asks"),
        pytest.param(b"", b"", id="nothing"),
        pytest.param(b"r1#\r\n", b"", id="a line that has ended"),
        pytest.param(b"r 1#", b"", id="a blank"),
        pytest.param(b"r1?#", b"", id="a question mark"),
        pytest.param(b"[r1]#", b"", id="brackets"),
        pytest.param(b"#", b"", id="a mark alone"),
        pytest.param(b"#####", b"", id="marks alone"),
        pytest.param(b"r1(config-if)#", b"", id="configuration mode"),
        pytest.param(b"Continue(y/n)#", b"", id="yes or no"),
        pytest.param(b"login>", b"", id="a word of a dialog"),
        pytest.param(b"selection>", b"", id="a word of a menu"),
        pytest.param(b"a" * 90 + b"#", b"", id="longer than any name"),
        pytest.param(b"Reload? [confirm]\r\nr1#", b"", id="under a question to be confirmed"),
        pytest.param(b"1  Show\r\n2  Reload\r\nChoose\r\nr1>", b"", id="under a list of choices"),
    ],
)
def test_a_prompt_is_a_name_and_a_mark_alone_on_its_line(seen: bytes, prompt: bytes) -> None:
    assert prompt_of(seen) == prompt


@pytest.mark.parametrize(
    ("prompt", "around", "is_it"),
    [
        pytest.param("Password: ", "", True, id="of IOS"),
        pytest.param("(advisor@192.0.2.1) Password: ", "", True, id="of OpenSSH"),
        pytest.param(
            "Enter your password now:", "", True, id="`aaa authentication password-prompt`"
        ),
        pytest.param("PASSCODE:", "Authorised users only", True, id="of a token server"),
        pytest.param("Password: ", "All changes are logged", True, id="a notice of changes"),
        pytest.param("New password: ", "", False, id="a new one"),
        pytest.param("Re-enter password: ", "", False, id="again"),
        pytest.param("Confirm password: ", "", False, id="to be confirmed"),
        pytest.param("(current) UNIX password: ", "", False, id="the current one"),
        pytest.param("Password: ", "Your password expires today", False, id="an expiry"),
        pytest.param("Change password? ", "", False, id="a question"),
        pytest.param("Username: ", "", False, id="a user name"),
        pytest.param("Verification code: ", "", False, id="a second factor"),
        pytest.param("", "", False, id="nothing"),
        pytest.param("Password:" * 100, "", False, id="a flood"),
    ],
)
def test_the_password_is_for_the_question_for_it(prompt: str, around: str, is_it: bool) -> None:
    assert is_for_the_password(prompt, around) is is_it


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param("New password: ", "New password:", id="words of a dialog stay"),
        pytest.param("Erase nvram? [confirm]", "Erase nvram? [confirm]", id="a question stays"),
        pytest.param("Password is tiger7: ", "Password <removed>", id="a password in it goes"),
        pytest.param("\r\nNew\x07password:", "New password:", id="control characters go"),
        pytest.param("hello s3cret-1 there", "hello <removed>", id="a secret of ours goes"),
    ],
)
def test_a_question_is_shown_as_a_short_line_without_a_secret(text: str, line: str) -> None:
    assert shown(text, ("s3cret-1",)) == line


def test_a_flood_is_shown_as_a_short_line() -> None:
    assert len(shown("x " * 100_000)) < 100


@pytest.mark.parametrize(
    "seen",
    [
        pytest.param(b"Serial0/0 is up\r\n  Queueing", id="a line in the middle"),
        pytest.param(b"Authorised users only\r\n", id="a banner"),
        pytest.param(b"", id="nothing"),
    ],
)
def test_a_text_is_no_question(seen: bytes) -> None:
    assert question_of(seen) == ""
