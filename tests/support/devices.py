"""Devices for tests: of a configuration alone, or read as the product reads an input."""

from advisor.capture.sections import Gap
from advisor.device.device import Device
from advisor.device.platform_evidence import platform_of
from advisor.device.reading import Source, read_source
from advisor.facts.read_config import read_facts
from advisor.ios.syntax.reader import parse_config
from advisor.settings import Settings, Traffic
from advisor.shows.observations import Observations


def device_of(
    config: str,
    *,
    seen: Observations | None = None,
    traffic: tuple[Traffic, ...] = (),
    gaps: tuple[Gap, ...] = (),
) -> Device:
    """The device r1 of a configuration, without the way through files and settings."""
    facts = read_facts(parse_config(config, "r1.ios"))
    seen = seen or Observations()
    platform = platform_of(facts, seen, "r1")
    return Device("r1", facts, platform, seen, traffic=traffic, gaps=gaps)


def device_read(
    text: str | bytes, settings: Settings | None = None, file: str = "r1.txt"
) -> Device:
    """The device of an input: a configuration, or the log of a session with show outputs."""
    payload = text.encode() if isinstance(text, str) else text
    return read_source(Source(file, payload), settings or Settings()).device
