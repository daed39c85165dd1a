"""One replication of a scenario with TCP: acknowledgements and timeouts make the arrivals."""

from heapq import heapify, heappop, heappush
from itertools import count
from math import inf
from random import Random
from typing import NamedTuple

from advisor.scenario import Scenario, TcpGroup
from advisor.simulate.assembly import assemble
from advisor.simulate.frames import Frame, Packet
from advisor.simulate.open_loop import drawn_packets
from advisor.simulate.tally import Tally
from advisor.simulate.tcp import Receiver, Sender
from advisor.units import ms_from_s

_FLOWS_START_WITHIN_MS = ms_from_s(5)
_EXTRA_DELAY_MS = 1.0  # U(0, 1 ms) before the interface breaks the lock step of identical flows
_PATH_BEFORE_INTERFACE_RATIO = 0.25

...
