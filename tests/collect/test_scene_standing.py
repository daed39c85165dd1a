"""Where a device stands is seen before anything is typed, and whose an answer is before it is kept."""

from typing import TYPE_CHECKING, Any, Final

import pytest
from msgspec.structs import replace

from advisor.collect import shell
from advisor.collect.fleet import DeviceOutcome, DeviceState
from advisor.collect.hosts import target_of
from tests.collect.doors import Door, Wire, doors
from tests.collect.sessions import ANSWERS, INVALID, Hook, Spoken, asks, router, says
from tests.collect.test_scene_doors import collected

if TYPE_CHECKING:
    from tests.collect.conftest import Scene

pytestmark = pytest.mark.slow
BUSY: Final = "CPU utilization for five seconds: 95%/0%; one minute: 90%; five minutes: 5%\n"


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait at a question as long as tells it, not as long as a slow router takes."""
    monkeypatch.setattr(shell, "_STILL_S", 0.6)
    monkeypatch.setattr(shell, "_QUESTION_S", 1.2)


def run(scene: "Scene", session: Spoken, **options: Any) -> tuple[DeviceOutcome, Door]:
    door = Door(session=session)
    limits = {"limits": replace(scene.patient, login_s=4.0, command_s=12.0)}
    (outcome,) = collected(scene, door, **{**limits, **options})
    return outcome, door


@pytest.mark.parametrize(
    ("session", "last", "interval_s"),
    [
        pytest.param(
            router(hooks={"show ip sla statistics": asks(f"{INVALID}Save? [yes/no]: ")}),
            "show ip sla statistics",
            None,
            id="after a refusal: the older names are not tried",
        ),
        pytest.param(
            router(
                {**ANSWERS, "show privilege": "Current privilege level is 7\n"},
                {
                    "show running-config view full": asks(
                        "Command authorization failed.\nReload now? [confirm]"
                    )
                },
            ),
            "show running-config view full",
            None,
            id="after a refused view: the other form is not tried",
        ),
        pytest.param(
            router(hooks={"show interfaces": asks("Proceed? [confirm]", from_time=2)}),
            "show interfaces",
            1.0,
            id="at a second sample: no other is taken",
        ),
        pytest.param(
            router(
                {**ANSWERS, "show processes cpu": BUSY},
                {"show processes cpu": asks(f"{BUSY}Proceed? [confirm]", from_time=2)},
            ),
            "show processes cpu",
            None,
            id="while it waits for the CPU: it is not asked again",
        ),
        pytest.param(
            router(hooks={"show version": asks("\nReload now? [confirm]\nr1#")}),
            "show version",
            None,
            id="a prompt under a question",
        ),
        pytest.param(
            router(hooks={"show version": asks("Reload? [confirm]\n\nplease\nr1#")}),
            "show version",
            None,
            id="a prompt some lines under a question",
        ),
        pytest.param(
            router(hooks={"show version": asks("Type yes to reload, RETURN keeps\nSure>")}),
            "show version",
            None,
            id="a mark under an order to type",
        ),
        pytest.param(
            router(hooks={"show version": asks("Press RETURN to continue\n")}),
            "show version",
            None,
            id="a line that waits for RETURN",
        ),
    ],
)
def test_nothing_is_typed_into_a_question_and_it_is_said(
    scene: "Scene", session: Spoken, last: str, interval_s: float | None
) -> None:
    limits = replace(scene.patient, login_s=4.0, command_s=12.0, cpu_wait_s=20.0, cpu_pause_s=0.05)
    plan = replace(scene.plan, interval_s=interval_s)
    outcome, door = run(scene, session, limits=limits, plan=plan)
    assert door.lines[-1] == last
    assert outcome.state is DeviceState.INCOMPLETE
    gaps = scene.bundle(outcome).gaps
    assert any("the device asks a question" in gap.reason for gap in gaps), gaps
    assert not any("time limit" in gap.reason or "CPU at" in gap.reason for gap in gaps), gaps


def pieces(*texts: str, latency_s: float) -> Spoken:
    """A router that is slow until the configuration, with prompts within one of its outputs."""

    def session(wire: Wire) -> None:
        wire.say("\nhi\nr1#")
        late_s = latency_s
        while (line := wire.heard(echo=False)) != "exit":
            late_s = 0.0 if line == "show running-config" else late_s
            wire.say(f"{line}\n", late_s)
            if line == "show version":
                for text in texts:
                    wire.say(f"{text}\nr1#", 0.02)
                continue
            is_known = not line or line.startswith("terminal ")
            wire.say(ANSWERS.get(line, "" if is_known else INVALID) + "r1#")

    return session


@pytest.mark.parametrize("latency_s", [0.0, 0.06, 0.3], ids=lambda each: f"{each * 1000:g} ms late")
def test_outputs_with_prompts_in_them_stay_with_their_commands(
    scene: "Scene", latency_s: float
) -> None:
    version = ANSWERS["show version"].rstrip("\n")
    outcome, _ = run(scene, pieces(version, "\nfoo", "\nbar", latency_s=latency_s))
    assert outcome.is_whole, outcome.reason
    for command, text in ANSWERS.items():
        if command != "show version":
            assert text.splitlines()[0] in scene.output(outcome, command), command
    lines = scene.output(outcome, "show version").splitlines()
    assert len(lines) == 5
    assert (lines[1], lines[3]) == ("r1#", "r1#")


@pytest.mark.parametrize("command", ["show privilege", "show version", "show processes cpu"])
def test_an_output_that_is_never_empty_is_not_whole_without_text(
    scene: "Scene", command: str
) -> None:
    outcome, _ = run(scene, router({**ANSWERS, command: ""}))
    assert outcome.state is DeviceState.INCOMPLETE
    assert f"{command}: cut, nothing was printed" in map(str, scene.bundle(outcome).gaps)


VERSION: Final = ANSWERS["show version"]
FOREIGN: Final = VERSION.replace("15.1(4)M", "12.2(33)SXI")


def then(text: str, *, from_time: int = 1, after_blank: str = "") -> Hook:
    """Print text with a prompt of its own, and answer blank lines with another text."""

    def hook(wire: Wire, times: int) -> bool:
        if times < from_time:
            return False
        wire.say(text)
        while True:
            wire.heard(echo=False)
            wire.say(f"\n{after_blank}")

    return hook


LONG_NAME: Final = "branch-0123456789-north-a-cut#"


@pytest.mark.parametrize(
    ("session", "before", "after"),
    [
        pytest.param(
            router(hooks={"show version": then(f"{FOREIGN}r2#")}), "r1#", "r2#", id="another name"
        ),
        pytest.param(
            router(hooks={"show version": then(f"{FOREIGN}r1-standby#")}),
            *("r1#", "r1-standby#"),
            id="the standby unit after a failover",
        ),
        pytest.param(
            router(hooks={"show version": then(f"{FOREIGN}R1#")}), "r1#", "R1#", id="another case"
        ),
        pytest.param(
            router(hooks={"show version": then(f"{FOREIGN}r1>")}), "r1#", "r1>", id="privilege lost"
        ),
        pytest.param(
            router(hooks={"show version": then(f"{FOREIGN}r1(config)#")}),
            *("r1#", "r1(config)#"),
            id="configuration mode",
        ),
        pytest.param(
            router(hooks={"show version": then(f"{FOREIGN}\nrommon 1 > ")}),
            *("r1#", "rommon 1 >"),
            id="the ROM monitor after a crash",
        ),
        pytest.param(
            router(hooks={"show version": then(f"{FOREIGN}Router>")}),
            *("r1#", "Router>"),
            id="a router without configuration after a reload",
        ),
        pytest.param(
            router(hooks={"show version": then(f"{VERSION}r1#", after_blank="r2#")}),
            *("r1#", "r2#"),
            id="another name at the blank line that looks for the end",
        ),
        pytest.param(
            router(hooks={"show version": then(f"\nr2#show version\n{FOREIGN}r2#")}),
            *("r1#", "r2#"),
            id="the command is echoed at another prompt",
        ),
        pytest.param(
            router(hooks={"show version": then(f"{FOREIGN}{LONG_NAME[:20]}#")}, prompt=LONG_NAME),
            *(LONG_NAME, f"{LONG_NAME[:20]}#"),
            id="a long name that is cut elsewhere",
        ),
    ],
)
def test_another_prompt_ends_the_capture_and_nothing_before_it_is_kept(
    scene: "Scene", session: Spoken, before: str, after: str
) -> None:
    outcome, door = run(scene, session)
    assert outcome.state is DeviceState.INCOMPLETE
    assert f"the prompt changed: {before} became {after}" in outcome.reason
    assert "which device answers" in outcome.next_step
    assert [each for each in door.lines if each][-1] == "show version", "nothing is typed there"
    bundle = scene.bundle(outcome)
    assert bundle.device == before[:-1]
    assert [section.command for section in bundle.sections] == ["show privilege"]
    assert after in str(bundle.gaps[-1]), "each missing output says why"


def test_another_prompt_at_a_second_sample_leaves_the_first(scene: "Scene") -> None:
    counters = "Serial0/0 is up, line protocol is up\n"
    session = router(hooks={"show interfaces": then(f"{counters}r2#", from_time=2)})
    outcome, door = run(scene, session, plan=replace(scene.plan, interval_s=1.0))
    assert door.lines[-1] == "show interfaces"
    assert "second sample: r1# became r2#" in str(scene.bundle(outcome).gaps)
    assert scene.output(outcome, "show interfaces") == counters


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"{VERSION}r2#\nmore\n", id="a line of an output like another prompt"),
        pytest.param(f"{VERSION}r1(config)#\n", id="a line like that of a mode"),
        pytest.param("rommon 1 >\nlogged\n", id="a line like that of the ROM monitor"),
    ],
)
def test_a_line_like_another_prompt_stays_a_line(scene: "Scene", text: str) -> None:
    outcome, _ = run(scene, router({**ANSWERS, "show version": text}))
    assert outcome.is_whole, outcome.reason
    assert scene.output(outcome, "show version").count("\n") == text.count("\n"), "no line is lost"
    assert "Serial0/0" in scene.output(outcome, "show interfaces")


def test_a_prompt_of_its_own_text_is_the_device(scene: "Scene") -> None:
    """`prompt %n-%h%p` shows another text than `hostname`: it stays the same all the time."""
    outcome, _ = run(scene, router(prompt="194-edge#"))
    assert outcome.is_whole, outcome.reason


def test_another_prompt_behind_a_jump_host_is_one_too(scene: "Scene") -> None:
    behind = Door(session=router(hooks={"show version": then(f"{FOREIGN}r2#")}))
    with doors(behind), scene.devices(replace(scene.r1, forwards=True)) as (jump,):
        scene.known_hosts.write_text(jump.known_hosts + behind.known_hosts)
        fleet = scene.fleet(jump_host=target_of(jump.address))
        (outcome,) = fleet.collect([target_of(behind.address)])
    assert "r1# became r2#" in outcome.reason


def mute(wire: Wire) -> None:
    """A router that answers each command with the output of the one before."""
    wire.say("\nr1#")
    before = ""
    while (line := wire.heard(echo=False)) != "exit":
        if not line or line.startswith("terminal "):
            wire.say(f"{line}\nr1#")
            continue
        wire.say(f"{before}{line}\nr1#")
        before = ANSWERS.get(line, INVALID)


def test_an_answer_that_does_not_begin_with_its_command_ends_the_session(scene: "Scene") -> None:
    outcome, door = run(scene, mute)
    assert door.lines[-1] == "show version"
    assert "answers out of step" in str(scene.bundle(outcome).gaps)


def in_the_banner(text: str, *, then: str = "", after_s: float = 0.0) -> Spoken:
    def session(wire: Wire) -> None:
        wire.say(text)
        if then:
            wire.say(then, after_s)
        while True:
            wire.heard()
            wire.say(f"?{text}")

    return session


@pytest.mark.parametrize(
    ("session", "blanks"),
    [
        pytest.param(
            in_the_banner("\nEDGE-1#", then="\nProceed with reload? [confirm]", after_s=0.1),
            0,
            id="a question after what looked like a prompt",
        ),
        pytest.param(
            in_the_banner("\nMain menu\n  a) Shell\n  b) Reload\n  c) Erase\nMain>"),
            0,
            id="a menu with letters",
        ),
        pytest.param(in_the_banner("\nToken>"), 0, id="a token"),
        pytest.param(in_the_banner("\nOTP#"), 0, id="a one-time password"),
        pytest.param(in_the_banner("\nProceed-with-reload>"), 0, id="a question in one word"),
        pytest.param(
            in_the_banner("\nEnter your one-time code below, then RETURN\nedge>"), 0, id="an order"
        ),
        pytest.param(
            in_the_banner("\nReload? [confirm]\n\nplease\nR1#"), 0, id="a question above a line"
        ),
        pytest.param(in_the_banner("\nstrange>"), 1, id="a mark that answers with text"),
    ],
)
def test_a_blank_line_at_login_is_for_a_prompt_and_is_one(
    scene: "Scene", session: Spoken, blanks: int
) -> None:
    outcome, door = run(scene, session, limits=replace(scene.patient, login_s=3.0))
    assert door.lines == [""] * blanks
    assert outcome.state is DeviceState.NOT_REACHED


def test_prompts_without_end_get_no_blank_line(scene: "Scene") -> None:
    def session(wire: Wire) -> None:
        for _ in range(400):
            wire.say("\nr1#", 0.02)

    outcome, _ = run(scene, session, limits=replace(scene.patient, login_s=2.0))
    assert outcome.reason.startswith("no prompt")
    assert "a blank line" not in outcome.reason


def enabling(question: str, *, then: str = "", after_s: float = 0.0) -> Spoken:
    def session(wire: Wire) -> None:
        wire.say("\nr1>")
        while (line := wire.heard(echo=False)) != "exit":
            wire.say(f"{line}\n")
            if line != "enable":
                wire.say("r1>")
                continue
            wire.say(question)
            if then:
                wire.say(then, after_s)
            wire.heard(echo=False)
            wire.say("\n% Bad secrets\n\nr1>")

    return session


@pytest.mark.parametrize(
    ("session", "asked"),
    [
        pytest.param(
            enabling("Your enable password has expired. Choose a new one.\nPassword: "),
            "expired",
            id="an expiry above it",
        ),
        pytest.param(
            enabling("% Password expired, set another\nPassword: "), "expired", id="an error above"
        ),
        pytest.param(
            enabling("Enter the one-time password:"), "one-time", id="a one-time password"
        ),
        pytest.param(enabling("Password for admin root:"), "it asks", id="another account"),
        pytest.param(
            enabling("Password:", then=" has expired. New enable password:", after_s=0.05),
            "expired",
            id="a question in two pieces",
        ),
    ],
)
def test_the_enable_secret_is_for_a_known_question_after_silence(
    scene: "Scene", session: Spoken, asked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ADVISOR_ENABLE", scene.enable)
    outcome, door = run(scene, session)
    assert door.lines[-1] == "enable"
    assert outcome.reason.startswith("enable refused: it asks `")
    assert asked in outcome.reason or "<removed>" in outcome.reason


@pytest.mark.parametrize(
    ("again", "reason"),
    [
        pytest.param("Serial0/0 is \x01\x02\x03\n", "second sample", id="garbage"),
        pytest.param(INVALID, "second sample: refused", id="a refusal"),
        pytest.param("Command authorization failed.\n", "second sample", id="no authorization"),
    ],
)
def test_a_second_sample_that_fails_leaves_the_first_and_a_gap(
    scene: "Scene", again: str, reason: str
) -> None:
    session = router(hooks={"show interfaces": says(again, from_time=2)})
    outcome, _ = run(scene, session, plan=replace(scene.plan, interval_s=1.0))
    assert outcome.state is DeviceState.INCOMPLETE
    bundle = scene.bundle(outcome)
    assert any(gap.command == "show interfaces" and reason in gap.reason for gap in bundle.gaps), (
        bundle.gaps
    )
    assert "line protocol is up" in scene.output(outcome, "show interfaces")
    assert bundle.earlier == ()
