"""The hops of a path: the config of each, and the prediction of its class."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.reading import Source, read_source
from advisor.predict.what_if.errors import InputError
from advisor.predict.what_if.path_file import Hop, PathOfHops
from advisor.predict.what_if.prediction import ClassPrediction, Unpredicted, UnstatedPrediction
from advisor.predict.what_if.predictions import predict_device
from advisor.predict.what_if.stated_link import stated_source
from advisor.settings.values import Settings
from advisor.theory.interface import QueueKind


class HopPrediction(Struct, frozen=True):
    """One hop of the path; `predicted` is None for a hop with only a fixed delay."""

    name: str
    fixed_ms: float
    predicted: ClassPrediction | None


def incomplete_of(
    path: PathOfHops, settings: Settings, open_config: Callable[[str], Source]
) -> tuple[str, ...]:
    """Why the configs of the hops are incomplete; each config is read once."""
    configs = dict.fromkeys(hop.config for hop in path.hops if hop.config is not None)
    readings = (read_source(open_config(config), settings) for config in configs)
    return tuple(reason for reading in readings for reason in reading.incomplete)


def source_of(hop: Hop, open_config: Callable[[str], Source]) -> Source | None:
    """The config of a hop, or that of its link; None for a fixed delay."""
    with _named(hop):
        if hop.link is not None:
            return stated_source(hop.link, hop.name).source
        return None if hop.config is None else open_config(hop.config)


@contextmanager
def _named(hop: Hop) -> Iterator[None]:
    """Name the hop that an error is about, and its place in the file."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{hop.at}: hop {hop.name}: {error}") from error


def predicted_hop(
    hop: Hop, settings: Settings, open_config: Callable[[str], Source]
) -> HopPrediction:
    """Predict a hop.

    Raises
    ------
    InputError
        If it cannot be predicted, or its class does not exist there.
    """
    with _named(hop):
        return _hop(hop, settings, open_config)


def _hop(hop: Hop, settings: Settings, open_config: Callable[[str], Source]) -> HopPrediction:
    if hop.link is not None:
        stated = stated_source(hop.link, hop.name)
        settings = replace(settings, traffic=(*stated.traffic, *settings.traffic))
        source, moves = stated.source, [stated.moves]
    elif hop.config is not None:
        source, moves = open_config(hop.config), []
    else:
        return HopPrediction(hop.name, hop.delay_ms, None)
    device = read_source(source, settings).device
    predicted = predict_device(
        device, source.name, settings, hop.interface, tuple(moves), explained=False
    )
    classes = [prediction for prediction in predicted if isinstance(prediction, ClassPrediction)]
    for prediction in predicted:
        is_asked = prediction.class_name == hop.class_name or not classes
        if isinstance(prediction, UnstatedPrediction) and is_asked:
            why = prediction.delay.reason
            raise InputError(f"class {prediction.class_name}: {why}")
        is_idle = isinstance(prediction, Unpredicted) and prediction.is_idle
        if is_idle and prediction.class_name == hop.class_name:
            raise InputError(f"class {prediction.class_name}: carries nothing")
    chosen = [
        prediction for prediction in classes if hop.class_name in (None, prediction.class_name)
    ]
    if hop.class_name is None:
        chosen = [
            prediction for prediction in chosen if prediction.kind == QueueKind.PRIORITY
        ] or chosen
    if not chosen:
        known = ", ".join(prediction.class_name for prediction in classes)
        raise InputError(f"no class {hop.class_name}; it has {known}")
    if len({prediction.object for prediction in chosen}) > 1:
        known = ", ".join(dict.fromkeys(prediction.object for prediction in chosen))
        raise InputError(f"name the interface: {known}")
    return HopPrediction(hop.name, hop.delay_ms, chosen[0])
