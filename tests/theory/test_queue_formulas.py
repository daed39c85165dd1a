"""The pieces of the model against results of theory."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.theory.classes.fluid import fluid_queue, periodic_queue_tail
from advisor.theory.lattice import Law, place_one
from advisor.theory.queue_chain import chain, residual_rows
from advisor.theory.ring.ring_view import packets_that_fit, ring_work

ONE = np.ones(1)


@pytest.mark.parametrize("load", [0.3, 0.8, 0.93])
def test_an_endless_queue_is_pollaczek_and_khinchines(load: float) -> None:
    state = chain(load, 1, ONE, ONE, 400)
    law = ring_work(state, np.eye(1, 301, 300)[0], ONE, ONE, 0.0)

    assert state.busy_ratio == pytest.approx(load)
    assert law.mean_ms == pytest.approx(load / 2 / (1 - load), rel=0.01)


def test_batches_add_the_batch_mates_to_the_wait() -> None:
    load, batch = 0.6, 4
    state = chain(load / batch, batch, ONE, ONE, 500)
    law = ring_work(state, np.eye(1, 401, 400)[0], ONE, ONE, 0.0)

    assert law.mean_ms == pytest.approx(load * batch / 2 / (1 - load), rel=0.01)


def test_a_place_for_one_packet_loses_as_erlang_says() -> None:
    assert chain(0.7, 1, ONE, ONE, 1).loss_ratio == pytest.approx(0.7 / 1.7)


def test_overload_leaves_the_wire_busy_and_drops_the_excess() -> None:
    state = chain(1.6, 1, ONE, ONE, 40)

    assert state.busy_ratio == pytest.approx(1, abs=1e-6)
    assert state.loss_ratio == pytest.approx(1 - 1 / 1.6, rel=1e-3)


@pytest.mark.parametrize("load", [50.0, 300.0, 5000.0])
@pytest.mark.parametrize("batch", [1, 4])
def test_many_times_the_rate_leaves_the_queue_full(load: float, batch: int) -> None:
    state = chain(load / batch, batch, ONE, ONE, 64)

    assert state.begins.sum() == pytest.approx(1)
    assert state.begins @ np.arange(len(state.begins)) == pytest.approx(63, abs=0.1)
    assert state.loss_ratio == pytest.approx(1 - 1 / load)


@given(load=st.floats(0.05, 0.95), ring=st.integers(1, 12))
def test_the_ring_never_holds_more_than_its_packets(load: float, ring: int) -> None:
    state = chain(load, 1, ONE, ONE, 100)
    law = ring_work(state, np.eye(1, ring + 1, ring)[0], ONE, ONE, 0.0)

    assert 0 < law.mean_ms < ring
    assert law.mass.sum() == pytest.approx(1)


def test_the_rest_on_the_wire_is_uniform_over_a_fixed_packet() -> None:
    rest, rows = residual_rows(chain(0.8, 1, ONE, ONE, 200), 50)

    assert rows[1:].sum() == pytest.approx(0.8)
    assert (rows[1:] @ rest).sum() / 0.8 == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("limit", "units", "packets"),
    [
        pytest.param(5, 2, 3, id="a packet of two particles may overshoot a limit of 5"),
        pytest.param(6, 2, 3, id="three packets of two fill a limit of 6"),
        pytest.param(1, 3, 1, id="one packet always fits"),
    ],
)
def test_packets_are_admitted_while_fewer_particles_than_the_limit_are_used(
    limit: int, units: int, packets: int
) -> None:
    fits = packets_that_fit(limit, 0, ONE, np.array([units]))
    assert fits.argmax() == packets


def test_a_mix_of_packets_fills_a_particle_ring_as_a_renewal_process() -> None:
    fits = packets_that_fit(400, 0, np.array([0.5, 0.5]), np.array([1, 3]))
    assert fits @ np.arange(len(fits)) == pytest.approx(400 / 2, rel=0.01)


def test_a_lattice_keeps_the_mean_of_what_is_placed_on_it() -> None:
    law = Law(place_one(np.array([0.37, 2.81]), np.array([0.25, 0.75]), 0.1, 64), 0.1)
    assert law.mean_ms == pytest.approx(0.25 * 0.37 + 0.75 * 2.81)


def test_two_periodic_sources_meet_as_geometry_says() -> None:
    # of two packets in a period of 10, work is over 1 only while both are there
    seen = periodic_queue_tail(2, 10.0, np.array([0.0, 1.0]))

    assert seen[0] == pytest.approx(0.2)
    assert seen[1] == pytest.approx(0.01)


def test_a_fluid_source_below_the_wire_never_queues() -> None:
    fluid = fluid_queue(2, on_ms=300, off_ms=700, peak_load=0.4, room=1.0, most_ms=100)
    assert fluid.mass[:, 1:].sum() == pytest.approx(0, abs=1e-6)


def test_one_on_off_source_fills_an_endless_buffer_exponentially() -> None:
    on_ms, off_ms, peak, room = 100.0, 300.0, 2.0, 1.0
    fluid = fluid_queue(1, on_ms=on_ms, off_ms=off_ms, peak_load=peak, room=room, most_ms=4000)
    decay = 1 / ((peak - room) * on_ms) - 1 / (room * off_ms)
    mean_ms = float(fluid.mass.sum(axis=0) @ fluid.work_ms)

    load = peak * on_ms / (on_ms + off_ms)
    assert fluid.mass[:, 1:].sum() == pytest.approx(load / room, rel=0.01)
    assert mean_ms == pytest.approx(load / room / decay, rel=0.03)
