"""Packet-level discrete-event simulation of one output interface: the check on every prediction.

Shares no code with `advisor.model`. What is simulated: a packet meets WRED, policer or tail drop,
waits in its software queue, enters the FIFO transmit ring when the scheduler picks it, and is sent.
Ingress is infinitely fast, the CPU costs nothing, nothing is shaped.
"""

from dataclasses import dataclass
from random import Random

from advisor.scenario import Saturated, Scenario, Stream, TcpGroup
from advisor.simulate.arrivals import mean_rate_per_ms, mean_size_bytes
from advisor.simulate.assembly import framer_of
from advisor.simulate.closed_loop import run_closed_loop
from advisor.simulate.open_loop import run_open_loop
from advisor.simulate.summary import (
    ClassResult,
    ClassTallies,
    DelayEstimates,
    Estimate,
    summarise,
)

__all__ = ["ClassResult", "DelayEstimates", "Estimate", "SimulationResult", "simulate"]
