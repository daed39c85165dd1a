"""Settings of a class that its predicted figures do not include."""

from advisor.facts.policy import PolicyClass
from advisor.outlet.scheduler import scheduler_of
from advisor.predict.classes.demand import Demand, End, Question, mean_bytes
from advisor.wording import RemarkKind


def remarks_of(question: Question, demand: Demand, name: str) -> tuple[RemarkKind, ...]:
    """Settings of the class that are not in its figures."""
    outlet = question.outlet
    policy_class = outlet.class_named(name)
    remarks = [] if policy_class is None else _left_out(question, policy_class)
    scheduler = scheduler_of(outlet, question.platform)[0]
    if scheduler.is_cut(name, mean_bytes(outlet, demand, name, End.LOW)):
        remarks.append(RemarkKind.SHORTER_QUEUE)
    return tuple(remarks)


def _left_out(question: Question, policy_class: PolicyClass) -> list[RemarkKind]:
    outlet, shape = question.outlet, policy_class.shape
    levels = {_level(priority_class) for priority_class in outlet.llq_classes}
    beside = {
        RemarkKind.PRIORITY_LEVELS: policy_class.priority is not None and len(levels) > 1,
        RemarkKind.RANDOM_DETECT: policy_class.wred is not None,
        RemarkKind.SHAPE: shape is not None and shape is not outlet.shape,
        RemarkKind.POLICE: policy_class.police is not None and policy_class.priority is None,
        RemarkKind.NESTED_POLICY: policy_class.child is not None
        and outlet.queueing is outlet.policy,
    }
    return [kind for kind, is_there in beside.items() if is_there]


def _level(policy_class: PolicyClass) -> int:
    """Level of a priority class: 1 where none is written."""
    return policy_class.priority.level or 1 if policy_class.priority is not None else 1
