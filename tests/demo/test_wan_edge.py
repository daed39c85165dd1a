"""The demo router in real time: its outputs agree with each other, with the clock and the line."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Final

import pytest

from advisor.capture import answer
from advisor.capture.transcript import transcript
from advisor.demo import live_script, renamed
from advisor.demo.wan_edge import WanEdge
from advisor.demo.wan_link import SCENARIO, Counter, wan_link
from advisor.device.index import read_devices
from advisor.device.reading import Source
from advisor.predict.scenario import scenario_answer
from advisor.settings.scenario import wred_of
from advisor.settings.values import Settings
from advisor.shows.observations import Observations
from tests.text import shows

pytestmark = pytest.mark.slow
