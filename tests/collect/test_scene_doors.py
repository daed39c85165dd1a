"""Servers that ask again, ask for something else or never answer: what reaches them is counted."""

from typing import TYPE_CHECKING, Any, Final

import asyncssh
import pytest
from msgspec.structs import replace
from paramiko.common import AUTH_PARTIALLY_SUCCESSFUL

from advisor.collect import DeviceError, Failure
from advisor.collect.fleet import DeviceOutcome, DeviceState
from advisor.collect.hosts import Keychain, target_of
from tests.collect.doors import Door, Question, doors

if TYPE_CHECKING:
    from tests.collect.conftest import Scene

PASSWORD: Final[Question] = ("", "", (("Password: ", False),))
NOTHING: Final[Question] = ("", "", ())
INTERACTIVE: Final = ("keyboard-interactive",)
# A terminal that takes three lines: the login is what is tried, the session ends then.
CLOSED: Final = ((0.0, b"\r\nbye\r\n"),)


def collected(scene: "Scene", *made: Door, **options: Any) -> list[DeviceOutcome]:
    limits = replace(scene.patient, login_s=2.0, command_s=5.0)
    with doors(*made):
        scene.known_hosts.write_text("".join(door.known_hosts for door in made))
        targets = [target_of(door.address) for door in made]
        fleet = scene.fleet(**{"limits": limits, **options})
        outcomes = {outcome.target: outcome for outcome in fleet.collect(targets)}
    return [outcomes[target] for target in targets]


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        pytest.param(("", "", (("New password: ", False),)), "New password:", id="a new one"),
        pytest.param(("", "", (("Retype password: ", False),)), "Retype password:", id="again"),
        pytest.param(("", "", (("Old password: ", False),)), "Old password:", id="the old one"),
        pytest.param(
            ("", "", (("Enter new password: ", False),)), "Enter new password:", id="enter new"
        ),
        pytest.param(
            ("Password expired", "", (("Password: ", False),)), "Password:", id="an expiry title"
        ),
        pytest.param(
            ("", "You must change your password.", (("Password: ", False),)),
            "Password:",
            id="an expiry in the instructions",
        ),
        pytest.param(("", "", (("Password: ", True),)), "Password:", id="an answer with echo"),
        pytest.param(
            ("", "", (("Password: ", False), ("Password: ", False))), "Password:", id="two fields"
        ),
        pytest.param(
            ("", "", (("Continue? [yes]: ", False),)), "Continue? [yes]:", id="a question"
        ),
        pytest.param(("", "", (("Username: ", False),)), "Username:", id="a user name"),
        pytest.param(
            ("", "", (("x" * 5000 + "\x1b[2J\nPassword? ", False),)), "Password?", id="a flood"
        ),
    ],
)
def test_a_question_for_something_else_gets_nothing(
    scene: "Scene", question: Question, asked: str
) -> None:
    door = Door(INTERACTIVE, questions=(question,))
    (outcome,) = collected(scene, door)
    assert (door.secrets, door.answers) == ([], [])
    assert outcome.state is DeviceState.NOT_REACHED
    assert outcome.reason.startswith("login refused: user advisor, it asks `")
    assert asked.split(maxsplit=1)[0] in outcome.reason or "<removed>" in outcome.reason
    assert outcome.reason.isprintable()
    assert len(outcome.reason) < 200


@pytest.mark.parametrize(
    ("questions", "repeats", "secrets", "answers"),
    [
        pytest.param((PASSWORD,), True, 1, 1, id="the same question without end"),
        pytest.param((NOTHING,), True, 0, 1, id="requests without a question without end"),
        pytest.param((PASSWORD, NOTHING), True, 1, 2, id="requests after the password without end"),
        pytest.param(
            (PASSWORD, ("", "", (("New password: ", False),))), False, 1, 1, id="a new one after it"
        ),
        pytest.param((NOTHING, PASSWORD, NOTHING), False, 1, 3, id="one request before and after"),
        pytest.param((PASSWORD,), False, 1, 1, id="one question"),
    ],
)
def test_one_secret_is_sent_whatever_is_asked(
    scene: "Scene", questions: tuple[Question, ...], repeats: bool, secrets: int, answers: int
) -> None:
    door = Door(INTERACTIVE, questions=questions, last_question_is_repeated=repeats, told=CLOSED)
    collected(scene, door)
    assert door.secrets == ["demo"] * secrets
    assert len(door.answers) == answers
    assert door.connections == 1


@pytest.mark.parametrize(
    ("door", "reason"),
    [
        pytest.param(
            {"wants_change": True}, "it asks `Your password has expired`", id="it is to be changed"
        ),
        pytest.param(
            {
                "after_password": AUTH_PARTIALLY_SUCCESSFUL,
                "methods_after_refusal": INTERACTIVE,
                "questions": (PASSWORD,),
            },
            "it wants keyboard-interactive too",
            id="taken in part",
        ),
        pytest.param(
            {"refuses": True, "methods_after_refusal": INTERACTIVE, "questions": (PASSWORD,)},
            "one try",
            id="refused, another method offered then",
        ),
        pytest.param({"closes_after_password": True}, "connection lost", id="it closes"),
        pytest.param({"is_silent_after_password": True}, "login not answered", id="it is silent"),
    ],
)
def test_a_password_that_was_sent_is_never_sent_again(
    scene: "Scene", door: dict[str, Any], reason: str
) -> None:
    made = Door(**door)
    limits = replace(scene.patient, login_s=2.0, retries=3, backoff_s=0.01)
    (outcome,) = collected(scene, made, limits=limits)
    assert made.secrets == ["demo"]
    assert made.connections == 1
    assert reason in outcome.reason


def test_a_key_that_is_taken_in_part_brings_no_other_login(scene: "Scene") -> None:
    file = scene.folder / "id_ed25519"
    file.write_bytes(asyncssh.generate_private_key("ssh-ed25519").export_private_key())
    door = Door(
        ("publickey",),
        after_password=AUTH_PARTIALLY_SUCCESSFUL,
        methods_after_refusal=INTERACTIVE,
        questions=(PASSWORD,),
    )
    (outcome,) = collected(scene, door, keychain=Keychain("advisor", file))
    assert (door.keys, door.secrets, door.answers) == (1, [], [])
    assert "it wants keyboard-interactive too" in outcome.reason


def test_a_method_that_is_not_offered_is_not_tried(scene: "Scene") -> None:
    door = Door(("publickey",), questions=(PASSWORD,))
    (outcome,) = collected(scene, door)
    assert (door.secrets, door.answers) == ([], [])
    assert "login method not offered: it offers publickey" in outcome.reason


@pytest.mark.parametrize(
    "door",
    [
        pytest.param({"refuses": True}, id="refused"),
        pytest.param({"refuses": True, "methods_after_refusal": ("publickey",)}, id="withdrawn"),
        pytest.param({"closes_after_password": True}, id="closed"),
        pytest.param({"is_silent_after_password": True}, id="never answered"),
        pytest.param({"wants_change": True}, id="to be changed"),
        pytest.param(
            {
                "methods": INTERACTIVE,
                "questions": (PASSWORD,),
                "last_question_is_repeated": True,
            },
            id="asked again",
        ),
    ],
)
def test_no_more_than_two_devices_get_a_password_that_none_takes(
    scene: "Scene", door: dict[str, Any]
) -> None:
    made = [Door(**door) for _ in range(12)]
    outcomes = collected(scene, *made, workers=8)
    assert sum(len(each.secrets) for each in made) == 2
    assert {outcome.state for outcome in outcomes} == {DeviceState.NOT_REACHED}


@pytest.mark.parametrize(
    "door",
    [
        pytest.param({"wants_change": True}, id="to be changed"),
        pytest.param(
            {
                "methods": INTERACTIVE,
                "questions": (PASSWORD,),
                "last_question_is_repeated": True,
            },
            id="asked again",
        ),
    ],
)
def test_a_jump_host_gets_one_password_too(scene: "Scene", door: dict[str, Any]) -> None:
    made, behind = Door(**door), Door()
    with doors(made, behind):
        scene.known_hosts.write_text(made.known_hosts + behind.known_hosts)
        fleet = scene.fleet(jump_host=target_of(made.address))
        with pytest.raises(DeviceError) as caught:
            list(fleet.collect([target_of(behind.address)]))
    assert caught.value.fault is Failure.LOGIN_REFUSED
    assert made.secrets == ["demo"]
    assert behind.connections == 0


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param(b"Erase nvram? [confirm]", "[confirm]", id="confirm"),
        pytest.param(b"Reload now? [yes]>", "[yes]>", id="a default in brackets, then a mark"),
        pytest.param(b"Reload now? (y/n)#", "(y/n)#", id="y or n, then a mark"),
        pytest.param(b"Proceed [yes/no]: ", "Proceed [yes/no]:", id="yes or no"),
        pytest.param(b"Username: ", "Username:", id="a user name"),
        pytest.param(b"Enter new password: ", "Enter new password:", id="a new password"),
        pytest.param(b"\r\nPress RETURN to get started!\r\n\r\n", "Press RETURN", id="return"),
        pytest.param(
            b"  1  Show\r\n  2  Reload\r\n\r\nYour selection:", "Your selection:", id="a menu"
        ),
        pytest.param(
            b"  1  Show\r\n  2  Reload\r\n\r\nMake your choice\r\nboot>",
            "it asks a question",
            id="a menu's mark",
        ),
        pytest.param(b"choice>", "no prompt", id="a word that asks"),
        pytest.param(b"Erase? [confirm]\r\nr1#", "[confirm]", id="a mark under a question"),
        pytest.param(b" --More-- ", "--More--", id="a pager that no command brought"),
        pytest.param(b"", "no prompt: 0 bytes", id="nothing"),
        pytest.param(b"r1(config)#", "no prompt", id="configuration"),
        pytest.param(b"Authorised users only", "no prompt", id="a text"),
        pytest.param(b"\xff\xfb\x01\xff\xfb\x03", "no prompt", id="an option of Telnet"),
    ],
)
def test_what_is_no_prompt_gets_no_blank_line(scene: "Scene", text: bytes, reason: str) -> None:
    door = Door(told=((0.0, text),))
    (outcome,) = collected(scene, door)
    assert bytes(door.typed) == b""
    assert outcome.state is DeviceState.NOT_REACHED
    assert reason in outcome.reason


@pytest.mark.parametrize(
    ("replies", "typed"),
    [
        pytest.param(
            (b"\r\nr1#", b"Reload now? [confirm]"),
            b"\nterminal length 0\n",
            id="a question in place of an answer",
        ),
        pytest.param(
            (b"\r\nErase nvram? [confirm]",), b"\n", id="a question to the first blank line"
        ),
        pytest.param(
            (b"\r\nr1#", b"terminal length 0\r\nr2-new? [yes]>"),
            b"\nterminal length 0\n",
            id="a question that ends like a prompt",
        ),
        pytest.param(
            (b"\r\nr1#", b"Delete --More--"),
            b"\nterminal length 0\n",
            id="a pager that is not alone on its line",
        ),
        pytest.param(
            (b"\r\nr1#", b" --More-- "),
            b"\nterminal length 0\n",
            id="a pager before the echo of the command",
        ),
    ],
)
def test_a_question_in_a_session_gets_nothing_and_no_exit(
    scene: "Scene", replies: tuple[bytes, ...], typed: bytes
) -> None:
    door = Door(told=((0.0, b"\r\nr1#"),), replies=replies)
    (outcome,) = collected(scene, door)
    assert bytes(door.typed).replace(b"\r", b"\n") == typed
    assert outcome.state is DeviceState.NOT_REACHED


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        pytest.param(b"Username: ", "it asks `Username:`", id="a user name"),
        pytest.param(b"Enter new password: ", "it asks `Enter new password:`", id="a new one"),
        pytest.param(b"Password: \r\nContinue? [yes/no]: ", "it asks `Continue?", id="a question"),
        pytest.param(
            b"  1  Show\r\n  2  Reload\r\nYour selection: ",
            "it asks `Your selection:`",
            id="a menu",
        ),
    ],
)
def test_enable_that_asks_for_something_else_gets_no_secret(
    scene: "Scene", asked: bytes, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ADVISOR_ENABLE", scene.enable)
    prompt = b"\r\nr1>"
    door = Door(
        told=((0.0, prompt),),
        replies=(
            prompt,
            *(b"terminal length 0" + prompt, prompt),
            *(b"terminal width 511" + prompt, prompt),
            b"enable\r\n" + asked,
        ),
    )
    (outcome,) = collected(scene, door)
    assert scene.enable.encode() not in door.typed
    assert bytes(door.typed).endswith(b"enable\n")
    assert reason in outcome.reason


def test_a_device_that_never_opens_its_terminal_is_let_go(scene: "Scene") -> None:
    door = Door(is_silent_at_shell=True)
    (outcome,) = collected(scene, door)
    assert outcome.seconds < 15
    assert "right after the login" in outcome.reason


PROMPT: Final = b"\r\nr1#"
SESSION: Final = (
    PROMPT,
    *(b"terminal length 0" + PROMPT, PROMPT),
    *(b"terminal width 511" + PROMPT, PROMPT),
    *(b"show privilege\r\nCurrent privilege level is 15" + PROMPT, PROMPT),
)


@pytest.mark.parametrize("lines", range(len(SESSION) + 1))
def test_a_device_that_closes_after_each_step_is_reported(scene: "Scene", lines: int) -> None:
    door = Door(told=((0.0, PROMPT),), replies=SESSION, closes_after_lines=lines)
    (outcome,) = collected(scene, door)
    assert not outcome.is_whole
    assert "session cut" in outcome.reason or "cut" in outcome.reason
    assert door.secrets == ["demo"]
    assert b"exit" not in door.typed


@pytest.mark.parametrize(
    "names",
    [
        pytest.param((b"r1#", b"r2#", b"r3#", b"r4#", b"r5#", b"r6#"), id="a new one each time"),
        pytest.param((b"r1#", b"r1>", b"r1#", b"r1>", b"r1#", b"r1>"), id="a mode each time"),
    ],
)
def test_a_prompt_that_never_stays_is_no_prompt(scene: "Scene", names: tuple[bytes, ...]) -> None:
    door = Door(
        told=((0.0, b"\r\n" + names[0]),), replies=tuple(b"\r\n" + each for each in names[1:])
    )
    (outcome,) = collected(scene, door)
    assert outcome.state is DeviceState.NOT_REACHED
    assert set(bytes(door.typed)) <= set(b"\n")
    assert len(door.typed) <= 8
