"""What a class configures that its predicted figures do not hold."""

from advisor.facts.policy import PolicyClass
from advisor.predict.demand import Demand, Question, mean_bytes
from advisor.predict.offer import background_input
from advisor.predict.scheduler import scheduler_of


def remarks_of(question: Question, demand: Demand, name: str) -> tuple[str, ...]:
    """What the class configures that is not in its figures."""
    found = next((each for each in question.outlet.queueing.classes if each.name == name), None)
    said: list[str] = []
    levels = {_level(each) for each in question.outlet.llq_classes}
    if found is not None and found.priority is not None and len(levels) > 1:
        said.append("priority levels are not in the figures: all classes share one queue")
    if found is not None:
        is_shaper = (
            found.shape is not None and question.outlet.queueing is not question.outlet.policy
        )
        beside = {
            "random-detect": found.wred is not None,
            "shape": found.shape is not None
            and not is_shaper
            and found.shape.rate_bps != question.outlet.shaper_bps,
            "police": found.police is not None and found.priority is None,
            "the nested policy": found.child is not None
            and question.outlet.queueing is question.outlet.policy,
        }
        said += [
            f"{what} of this class is not in the figures" for what, there in beside.items() if there
        ]
    scheduler = scheduler_of(question.outlet, question.train)[0]
    background = background_input(question.outlet).low
    if scheduler.is_cut(name, mean_bytes(question.outlet, demand, name, background)):
        said.append("solved with a shorter queue-limit than configured: no bound")
    return tuple(said)


def _level(each: PolicyClass) -> int:
    """Level of a priority class: 1 where none is written."""
    return each.priority.level or 1 if each.priority is not None else 1
