"""What counts as a prompt, as the question for the password, and what of a question is shown."""

import pytest

from advisor.collect.question import asks_for_password, prompt_of, question_of, shown


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
        pytest.param(
            b"Main menu\r\n  a) Shell\r\n  b) Reload\r\nMain>", b"", id="under choices with letters"
        ),
        pytest.param(
            b"Reload? [confirm]\r\n\r\nplease\r\nR1#", b"", id="some lines under a question"
        ),
        pytest.param(
            b"Type yes to reload, RETURN keeps\r\nSure>", b"", id="under an order to type"
        ),
        pytest.param(
            b"Enter your one-time code below, then RETURN\r\nedge>",
            b"",
            id="under an order to enter",
        ),
        pytest.param(b"Token>", b"", id="a token"),
        pytest.param(b"OTP#", b"", id="a one-time password"),
        pytest.param(b"Proceed-with-reload>", b"", id="a question in one word"),
        pytest.param(b"edge-menu-1#", b"edge-menu-1#", id="a name that holds a word of a menu"),
    ],
)
def test_a_prompt_is_a_name_and_a_mark_alone_on_its_line(seen: bytes, prompt: bytes) -> None:
    assert prompt_of(seen) == prompt


@pytest.mark.parametrize(
    ("prompt", "around"),
    [
        pytest.param("Password: ", "", id="of IOS"),
        pytest.param("password:", "", id="in small letters"),
        pytest.param("Passwort:", "", id="in German"),
        pytest.param("(advisor@192.0.2.1) Password: ", "", id="of OpenSSH"),
        pytest.param("advisor's password: ", "", id="of a user"),
        pytest.param("advisor@bastion's password: ", "", id="of a user of a host"),
        pytest.param("Password for advisor: ", "", id="for a user"),
        pytest.param("Password for advisor@r1.example: ", "", id="for a user of a host"),
        pytest.param("Password: ", "Authorised users only", id="under a notice"),
    ],
)
def test_the_password_is_for_the_question_for_it(prompt: str, around: str) -> None:
    assert asks_for_password(prompt, around, "advisor")


@pytest.mark.parametrize(
    ("prompt", "around"),
    [
        pytest.param("New password: ", "", id="a new one"),
        pytest.param("Re-enter password: ", "", id="again"),
        pytest.param("Confirm password: ", "", id="to be confirmed"),
        pytest.param("(current) UNIX password: ", "", id="the current one"),
        pytest.param("Password: ", "Your password expires today", id="an expiry"),
        pytest.param("Password: ", "All changes are logged", id="a word of a change"),
        pytest.param("Password: ", "Your account has expired. Choose a new one", id="an account"),
        pytest.param("Password: ", "Enter the code of your token", id="a token above it"),
        pytest.param("Change password? ", "", id="a question"),
        pytest.param("Username: ", "", id="a user name"),
        pytest.param("Verification code: ", "", id="a second factor"),
        pytest.param("", "", id="nothing"),
        pytest.param("Password:" * 100, "", id="a flood"),
        pytest.param("One-time password (OATH) for `advisor': ", "", id="a one-time password"),
        pytest.param("Enter PASSCODE: ", "", id="a passcode"),
        pytest.param("Duo passcode: ", "", id="another passcode"),
        pytest.param("Token password:", "", id="of a token"),
        pytest.param("Enable password: ", "", id="of another mode"),
        pytest.param("root@bastion's password: ", "", id="of another user of a host"),
        pytest.param("root's password: ", "", id="of another user"),
        pytest.param("Password for user bob: ", "", id="for another user"),
        pytest.param("(root@r1) Password: ", "", id="of another user, in OpenSSH's form"),
        pytest.param("Passphrase for key '/home/x/.ssh/id': ", "", id="of a key"),
        pytest.param("Password hint: ", "", id="a hint"),
        pytest.param("Enter your password now:", "", id="in words that are not known"),
        pytest.param("Password", "", id="without a colon"),
        pytest.param("x\nPassword:", "", id="two lines"),
    ],
)
def test_a_question_of_another_shape_gets_no_password(prompt: str, around: str) -> None:
    assert not asks_for_password(prompt, around, "advisor")


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
