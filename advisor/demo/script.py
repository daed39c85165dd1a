"""The script of a simulated router: its answers, its accounts and its faults."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, TypeAlias

from msgspec import Struct, field

RUNNING_CONFIG: Final = "show running-config"
HIGHEST_PRIVILEGE: Final = 15
USER_PRIVILEGE: Final = 1
# IOS cuts a longer prompt: the Cisco IOS command reference states this field for `hostname`.
_PROMPT_FIELD_CHARACTERS: Final = 30


class Fault(StrEnum):
    """The faults that a device can show."""

    REFUSED = "refused"
    CLOSES = "closes"
    RESETS = "resets"
    SILENT = "silent"
    SILENT_AFTER_LOGIN = "silent-after-login"
    KEY_CHANGES = "key-changes"
    LOGIN_REFUSED = "login-refused"
    ASKS_AGAIN = "asks-again"
    EXPIRED = "expired"
    NO_PROMPT = "no-prompt"
    QUESTION = "question"
    MENU = "menu"
    BANNER_IN_PIECES = "banner-in-pieces"
    CUT = "cut"
    GARBAGE = "garbage"
    SLOW = "slow"
    BANNER_FLOOD = "banner-flood"
    ALWAYS_PAGES = "always-pages"
    ENABLE_REFUSED = "enable-refused"
    LOW_PRIVILEGE = "low-privilege"
    BOOT_MARKERS = "boot-markers"
    UNAUTHORIZED = "unauthorized"
    PROMPT_IN_OUTPUT = "prompt-in-output"
    LONG_CONFIG = "long-config"
    LONG_LINE = "long-line"
    HOSTILE_NAME = "hostile-name"
    LONG_NAME = "long-name"
    NAME_CHANGES = "name-changes"
    BUSY = "busy"


WHAT_GOES_WRONG: Final[Mapping[Fault, str]] = MappingProxyType(
    {
        Fault.REFUSED: "nothing listens on the port",
        Fault.CLOSES: "the port closes at once, like a port without SSH",
        Fault.RESETS: "the port resets at once",
        Fault.SILENT: "the port opens and sends nothing",
        Fault.SILENT_AFTER_LOGIN: "the login succeeds and no byte follows",
        Fault.KEY_CHANGES: "the second connection gets another host key",
        Fault.LOGIN_REFUSED: "no password is right",
        Fault.ASKS_AGAIN: "the login asks for the password again and again",
        Fault.EXPIRED: "the login asks for a new password, twice",
        Fault.NO_PROMPT: "a banner comes, the prompt does not",
        Fault.QUESTION: "`Reload now? [confirm]` in place of the prompt",
        Fault.MENU: "a menu in place of the prompt",
        Fault.BANNER_IN_PIECES: "a banner in pieces that end like prompts",
        Fault.CUT: "the connection ends within the running-config",
        Fault.GARBAGE: "the running-config holds bytes that are not text",
        Fault.SLOW: "one byte a second",
        Fault.BANNER_FLOOD: "20,000 lines of banner",
        Fault.ALWAYS_PAGES: "--More-- in spite of `terminal length 0`",
        Fault.ENABLE_REFUSED: "`enable` is refused",
        Fault.LOW_PRIVILEGE: "privilege 7: the running-config is shortened",
        Fault.BOOT_MARKERS: "the running-config holds only the boot markers",
        Fault.UNAUTHORIZED: "the AAA server refuses the running-config",
        Fault.PROMPT_IN_OUTPUT: "the running-config holds a line like the prompt",
        Fault.LONG_CONFIG: "a running-config of 60,000 lines",
        Fault.LONG_LINE: "a line of 200,000 characters in the running-config",
        Fault.HOSTILE_NAME: "a hostname made of shell characters",
        Fault.LONG_NAME: "a hostname of 63 characters",
        Fault.NAME_CHANGES: "the name in the prompt changes with the fifth command",
        Fault.BUSY: "CPU at 95 %",
    }
)


Answer: TypeAlias = str | Callable[[str], str]


class View(Struct, frozen=True):
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
        The command whose output CUT, GARBAGE and PROMPT_IN_OUTPUT spoil.
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
    view: View | None = None
    is_first_view: bool = False
    methods: tuple[str, ...] = ("publickey", "keyboard-interactive", "password")
    authorized_keys: tuple[str, ...] = ()
    login_banner: str = ""
    exec_banner: str = ""
    faults: frozenset[Fault] = frozenset()
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

    def has(self, *faults: Fault) -> bool:
        """Say whether the router shows one of these faults."""
        return not self.faults.isdisjoint(faults)


def text_of(answer: Answer, hostname: str) -> str:
    """Return the output of a router of a name now."""
    return answer if isinstance(answer, str) else answer(hostname)


def prompt_name(hostname: str) -> str:
    """Return the part of a hostname that fits in a prompt."""
    return hostname[: _PROMPT_FIELD_CHARACTERS - 1]
