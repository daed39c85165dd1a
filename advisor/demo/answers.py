"""The texts of a simulated router: from a bundle, changed by its faults."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from advisor.assets import asset_dir
from advisor.capture.bundle import read_bundle
from advisor.demo.script import (
    HIGHEST_PRIVILEGE,
    RUNNING_CONFIG,
    USER_PRIVILEGE,
    Answer,
    Fault,
    Script,
    text_of,
)
from advisor.demo.wan_edge import wan_edge
from advisor.demo.wan_edge_texts import VOICE_PROBE

_CPU: Final = "show processes cpu"
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
    if script.has(Fault.HOSTILE_NAME):
        script = renamed(script, _HOSTILE_NAME)
    if script.has(Fault.LONG_NAME):
        script = renamed(script, _LONG_NAME)
    config = _config(script)
    if config is not None:
        script = replace(script, answers={**script.answers, RUNNING_CONFIG: config})
    if script.has(Fault.BUSY):
        busy = "five seconds: 95%/61%; one minute: 95%; five minutes: 94%"
        calm = answers.get(_CPU, _NO_LOAD)
        script = replace(
            script,
            answers={
                **script.answers,
                _CPU: lambda name: _CPU_FIGURES.sub(busy, text_of(calm, name), count=1),
            },
        )
    if script.has(Fault.SLOW) and not script.seconds_per_byte:
        script = replace(script, seconds_per_byte=_SECONDS_PER_BYTE)
    if script.has(Fault.ENABLE_REFUSED):
        script = replace(script, privilege=USER_PRIVILEGE)
    if script.has(Fault.LOW_PRIVILEGE):
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
    if script.has(Fault.LONG_CONFIG):
        return long_config(script.hostname)
    if script.has(Fault.BOOT_MARKERS):
        return as_run("!\nboot-start-marker\nboot-end-marker\n!\nend\n")
    if script.has(Fault.UNAUTHORIZED):
        return "Command authorization failed.\n\n"
    if script.has(Fault.LONG_LINE):
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
