"""A point of a sweep says what a prediction with that setting says."""

import pytest

from advisor.device.reading import Source, read_source
from advisor.predict.what_if import InputError
from advisor.predict.what_if.prediction import ClassPrediction, Prediction, UnstatedPrediction
from advisor.predict.what_if.predictions import predict_sources
from advisor.predict.what_if.subject import Subject
from advisor.predict.what_if.sweeps import axes_of, sweep
from advisor.settings import Settings

ROUTER = """\
version 15.1
hostname EDGE
policy-map WAN
 class VOICE
  priority 96
 class DATA
  bandwidth 128
 class class-default
interface Serial0/0
 bandwidth 512
 clock rate 512000
 encapsulation ppp
 tx-ring-limit 4
 service-policy output WAN
interface ATM0
 pvc 1/32
  encapsulation aal5snap
  vbr-nrt 1000 1000
  tx-ring-limit 3
  service-policy output WAN
"""
SWEEPS = {
    "the ring": ("tx-ring-limit=3..11:4", "tx-ring-limit", ("3", "7", "11")),
    "the load": ("load=50..110:30", "load", ("50", "80", "110")),
    "the rate": ("bandwidth=256..768:256", "bandwidth", ("256", "512", "768")),
}


def source(text: str = ROUTER) -> Source:
    return Source("r1.cfg", text.encode())


def subject(of: Source) -> Subject:
    return Subject(read_source(of, Settings()), Settings())


def figures(predictions: tuple[Prediction, ...]) -> list[object]:
    return [
        (each.object, each.class_name, each.mean, each.p99, each.bound_ms, each.jitter, each.loss)
        for each in predictions
        if isinstance(each, ClassPrediction)
    ]


def shares(predictions: tuple[Prediction, ...]) -> list[object]:
    return [
        (each.object, each.class_name, each.share)
        for each in predictions
        if isinstance(each, UnstatedPrediction)
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("text", "key", "values"), SWEEPS.values(), ids=SWEEPS)
def test_a_point_is_the_prediction_with_that_setting(
    text: str, key: str, values: tuple[str, ...]
) -> None:
    points = sweep(subject(source()), axes_of((text,)))

    alone = [predict_sources(source(), Settings(), None, {key: value}) for value in values]
    assert [figures(point.predictions) for point in points] == [figures(each) for each in alone]
    assert [shares(point.predictions) for point in points] == [shares(each) for each in alone]
    told = (*figures(points[0].predictions), *shares(points[0].predictions))
    assert len(told) == 6  # three classes on each of two interfaces


def test_a_point_where_nothing_can_be_predicted_ends_the_sweep_with_its_reason() -> None:
    serial, _, _ = ROUTER.partition("interface ATM0")
    unframed = source(serial.replace("encapsulation ppp", "encapsulation smds"))
    with pytest.raises(InputError, match="nothing to predict"):
        sweep(subject(unframed), axes_of(("bandwidth=512..1024:512",)))


def test_an_input_that_a_flag_sets_names_the_flag_and_no_line() -> None:
    predictions = predict_sources(source(), Settings(), "Serial0/0", {"fragment": "160"})
    sources = {
        entry.source
        for prediction in predictions
        if isinstance(prediction, ClassPrediction)
        for entry in prediction.inputs
        if entry.name == "fragment_bytes"
    }

    assert sources == {"LFI, --set fragment"}
