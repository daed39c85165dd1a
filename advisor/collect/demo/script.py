"""A simulated router: its script, its accounts, its faults and the texts it answers with."""

import re
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Final, Self, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from advisor.capture.outputs import CPU, RUNNING_CONFIG
from advisor.capture.read_bundle import read_bundle
from advisor.collect.demo.wan_edge import VOICE_PROBE, wan_edge
from advisor.ground.assets import asset_dir

# The script of a simulated router: its answers, its accounts and its faults.

HIGHEST_PRIVILEGE: Final = 15
USER_PRIVILEGE: Final = 1
# IOS cuts a longer prompt: the Cisco IOS command reference states this field for `hostname`.
_PROMPT_FIELD_CHARACTERS: Final = 30


class DemoFault(StrEnum):
    """The faults that a device can show, each with what goes wrong."""

    words: str

    def __new__(cls, value: str, words: str = "") -> Self:
        """Keep the words beside the name that `--fault` takes."""
        fault = str.__new__(cls, value)
        fault._value_, fault.words = value, words
        return fault

    REFUSED = "refused", "nothing listens on the port"
    CLOSES = "closes", "the port closes at once, like a port without SSH"
    RESETS = "resets", "the port resets at once"
    SILENT = "silent", "the port opens and sends nothing"
    SILENT_AFTER_LOGIN = "silent-after-login", "the login succeeds and no byte follows"
    KEY_CHANGES = "key-changes", "the second connection gets another host key"
    LOGIN_REFUSED = "login-refused", "no password is right"
    ASKS_AGAIN = "asks-again", "the login asks for the password again and again"
    EXPIRED = "expired", "the login asks for a new password, twice"
    NO_PROMPT = "no-prompt", "a banner comes, the prompt does not"
    QUESTION = "question", "`Reload now? [confirm]` in place of the prompt"
    MENU = "menu", "a menu in place of the prompt"
    BANNER_IN_PIECES = "banner-in-pieces", "a banner in pieces that end like prompts"
    CUT = "cut", "the connection ends within the running-config"
    GARBAGE = "garbage", "the running-config holds bytes that are not text"
    HANGS = "hangs", "the running-config stops in its middle and does not end"
    SLOW = "slow", "one byte a second"
    BANNER_FLOOD = "banner-flood", "20,000 lines of banner"
    ALWAYS_PAGES = "always-pages", "--More-- in spite of `terminal length 0`"
    ENABLE_REFUSED = "enable-refused", "`enable` is refused"
    LOW_PRIVILEGE = "low-privilege", "privilege 7: the running-config is shortened"
    BOOT_MARKERS = "boot-markers", "the running-config holds only the boot markers"
    UNAUTHORIZED = "unauthorized", "the AAA server refuses the running-config"
    PROMPT_IN_OUTPUT = "prompt-in-output", "the running-config holds a line like the prompt"
    LONG_CONFIG = "long-config", "a running-config of 60,000 lines"
    LONG_LINE = "long-line", "a line of 200,000 characters in the running-config"
    HOSTILE_NAME = "hostile-name", "a hostname made of shell characters"
    LONG_NAME = "long-name", "a hostname of 63 characters"
    NAME_CHANGES = "name-changes", "the name in the prompt changes with the fifth command"
    BUSY = "busy", "CPU at 95 %"


Answer: TypeAlias = str | Callable[[str], str]


class TerminalView(Struct, frozen=True):
    """A parser view. `commands` holds its commands, spelled out, without arguments."""

    name: str
    password: str
    commands: tuple[str, ...]


class Script(Struct, frozen=True):
    """One simulated router.

    Attributes
    ----------
    answers
        Spelled-out commands with their arguments, and their outputs with LF line ends; an output
        that moves is a function of the hostname.
    later
        The outputs of a command when a session repeats it; the last output stays.
    privilege
        Level after login.
    enable_password
        None if `enable` has no password and is refused.
    command_privilege
        The least level of a command if it is not 1, by a prefix of its words.
    authorized_keys
        Public keys of the user, in the format of OpenSSH.
    faulty_command
        The command whose output CUT, GARBAGE, HANGS and PROMPT_IN_OUTPUT spoil.
    answer_delay_s
        Wait before the output of each `show`.
    is_legacy
        Only SHA-1, CBC and an ssh-rsa host key, as IOS 12.4 offers.
    forwards
        Whether it opens TCP connections for its clients, like a jump host.
    is_first_view
        Whether the login starts in the view.
    """

    hostname: str = "Router"
    answers: Mapping[str, Answer] = field(default_factory=dict)
    later: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    username: str = "advisor"
    password: str = "demo"  # noqa: S105 -- of the loopback device, printed at start
    enable_password: str | None = None
    privilege: int = HIGHEST_PRIVILEGE
    command_privilege: Mapping[str, int] = field(
        default_factory=lambda: {RUNNING_CONFIG: HIGHEST_PRIVILEGE}
    )
    view: TerminalView | None = None
    is_first_view: bool = False
    methods: tuple[str, ...] = ("publickey", "keyboard-interactive", "password")
    authorized_keys: tuple[str, ...] = ()
    login_banner: str = ""
    exec_banner: str = ""
    faults: frozenset[DemoFault] = frozenset()
    faulty_command: str = RUNNING_CONFIG
    answer_delay_s: float = 0.0
    seconds_per_byte: float = 0.0
    pause_s: float = 0.3
    page_lines: int = 24
    is_legacy: bool = False
    forwards: bool = False

    def answer(self, command: str) -> str:
        """Return the output of a command now."""
        return text_of(self.answers[command], self.hostname)

    def has(self, *faults: DemoFault) -> bool:
        """Say whether the router shows one of these faults."""
        return not self.faults.isdisjoint(faults)


def text_of(answer: Answer, hostname: str) -> str:
    """Return the output of a router of a name now."""
    return answer if isinstance(answer, str) else answer(hostname)


def prompt_name(hostname: str) -> str:
    """Return the part of a hostname that fits in a prompt."""
    return hostname[: _PROMPT_FIELD_CHARACTERS - 1]


# The texts of a simulated router: from a bundle, changed by its faults.

_SCHEDULE: Final = "ip sla schedule 10 life forever start-time now\n"
_CONTROLLERS: Final = "show controllers"
_HOSTILE_NAME: Final = "r1;$(id)`id`|&../../x"
_LONG_NAME: Final = "branch-" + "0123456789" * 5 + "-north"
_LONG_CONFIG_LINES: Final = 60_000
_LONG_LINE_CHARACTERS: Final = 200_000
_LOW_PRIVILEGE: Final = 7
_SECONDS_PER_BYTE: Final = 1.0
_NO_LOAD: Final = "CPU utilization for five seconds: 0%/0%; one minute: 0%; five minutes: 0%\n"
_HOSTNAME_LINE: Final = re.compile(r"^hostname .*$", re.MULTILINE)
_CPU_FIGURES: Final = re.compile(r"five seconds: \d+%/\d+%; one minute: \d+%; five minutes: \d+%")


class DemoBundleError(Exception):
    """No router can be made from a bundle; the text says why."""


def live_script(number: int = 0) -> Script:
    """Make one of the routers whose counters move as their simulated link carries packets."""
    folder = asset_dir("fixtures/bundles/wan-edge-demo")
    script, edge = script_of(folder), wan_edge(number)
    config = script.answer(RUNNING_CONFIG).partition(" bytes\n")[2]
    head, schedule, rest = config.partition(_SCHEDULE)
    answers: dict[str, Answer] = {
        RUNNING_CONFIG: as_run(f"{head}{schedule}{VOICE_PROBE}{rest}"),
        _CONTROLLERS: script.answers[_CONTROLLERS],
    }
    return replace(script, answers={**answers, **edge.commands}, later={})


def script_of(folder: Path) -> Script:
    """Make a router from a bundle.

    If the bundle holds a command twice, the second output answers the second request.

    Parameters
    ----------
    folder
        A bundle.

    Raises
    ------
    DemoBundleError
        If it holds no output of a command.
    """
    capture = read_bundle(folder)
    texts: dict[str, list[str]] = {}
    for section in capture.sections:
        if section.command is not None:
            texts.setdefault(section.command, []).append(f"{section.output.rstrip()}\n")
    if not texts:
        raise DemoBundleError(f"{folder}: holds no output of a command")
    answers = {command: outputs[0] for command, outputs in texts.items()}
    later = {command: tuple(outputs[1:]) for command, outputs in texts.items() if outputs[1:]}
    hostname_line = _HOSTNAME_LINE.search(answers.get(RUNNING_CONFIG, ""))
    hostname = capture.device or (hostname_line[0].split()[-1] if hostname_line else "Router")
    return Script(hostname, answers, later)


def as_run(config: str) -> str:
    """Return a configuration as `show running-config` prints it, after a line with its size.

    A configuration that already has this header is not changed.
    """
    if "Current configuration :" in config:
        return config
    return (
        "Building configuration...\n\n"
        f"Current configuration : {len(config.encode())} bytes\n{config}"
    )


def shortened(hostname: str) -> str:
    """Return the output of `show running-config` at a privilege without configuration rights."""
    return as_run(f"!\nhostname {hostname}\n!\nboot-start-marker\nboot-end-marker\n!\nend\n\n")


def long_config(hostname: str, lines: int = _LONG_CONFIG_LINES) -> str:
    """Return a configuration with this number of lines, as `show running-config` prints it."""
    return as_run("".join(_long_lines(hostname, lines)))


def _long_lines(hostname: str, lines: int) -> Iterator[str]:
    yield f"!\nversion 12.4\nhostname {hostname}\n!\ninterface Serial0/0\n!\n"
    yield "ip access-list extended LONG\n"
    for number in range(lines - 8):
        yield f" permit ip host 10.{number >> 16}.{number >> 8 & 255}.{number & 255} any\n"
    yield "end\n"


def with_faults(script: Script) -> Script:
    """Return the script with the faults that its texts and settings can show."""
    answers = dict(script.answers)
    if RUNNING_CONFIG in answers:
        answers[RUNNING_CONFIG] = as_run(script.answer(RUNNING_CONFIG))
    script = replace(script, answers=answers)
    if script.has(DemoFault.HOSTILE_NAME):
        script = renamed(script, _HOSTILE_NAME)
    if script.has(DemoFault.LONG_NAME):
        script = renamed(script, _LONG_NAME)
    config = _config(script)
    if config is not None:
        script = replace(script, answers={**script.answers, RUNNING_CONFIG: config})
    if script.has(DemoFault.BUSY):
        busy = "five seconds: 95%/61%; one minute: 95%; five minutes: 94%"
        calm = answers.get(CPU, _NO_LOAD)
        script = replace(
            script,
            answers={
                **script.answers,
                CPU: lambda name: _CPU_FIGURES.sub(busy, text_of(calm, name), count=1),
            },
        )
    if script.has(DemoFault.SLOW) and not script.seconds_per_byte:
        script = replace(script, seconds_per_byte=_SECONDS_PER_BYTE)
    if script.has(DemoFault.ENABLE_REFUSED):
        script = replace(script, privilege=USER_PRIVILEGE)
    if script.has(DemoFault.LOW_PRIVILEGE):
        script = replace(
            script,
            privilege=_LOW_PRIVILEGE,
            enable_password=None,
            command_privilege={
                **script.command_privilege,
                RUNNING_CONFIG: _LOW_PRIVILEGE,
                f"{RUNNING_CONFIG} view": HIGHEST_PRIVILEGE,
            },
        )
    return script


def _config(script: Script) -> str | None:
    """The running-config that a fault produces; None if no fault changes it."""
    if script.has(DemoFault.LONG_CONFIG):
        return long_config(script.hostname)
    if script.has(DemoFault.BOOT_MARKERS):
        return as_run("!\nboot-start-marker\nboot-end-marker\n!\nend\n")
    if script.has(DemoFault.UNAUTHORIZED):
        return "Command authorization failed.\n\n"
    if script.has(DemoFault.LONG_LINE):
        long_lines = f"alias exec x {'x' * _LONG_LINE_CHARACTERS}\nend\n"
        config = text_of(script.answers.get(RUNNING_CONFIG, "end\n"), script.hostname)
        return as_run(config.partition("bytes\n")[2].replace("end\n", long_lines))
    return None


def renamed(script: Script, hostname: str) -> Script:
    """Return the router with another name in its prompt and its configurations."""
    answers = {
        command: _HOSTNAME_LINE.sub(lambda _: f"hostname {hostname}", text)
        if isinstance(text, str)
        else text
        for command, text in script.answers.items()
    }
    return replace(script, hostname=hostname, answers=answers)
