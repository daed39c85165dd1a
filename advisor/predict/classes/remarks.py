"""Settings of a class that its predicted figures do not include."""

from functools import lru_cache

from advisor.facts.policy import PolicyClass
from advisor.outlet.scheduler import scheduler_of
from advisor.outlet.token_buckets import TokenBuckets
from advisor.predict.classes.demand import Demand, End, Question, mean_bytes
from advisor.theory.wire import Framing
from advisor.wording import RemarkKind


@lru_cache(maxsize=64)
def remarks_of(question: Question, demand: Demand, name: str) -> tuple[RemarkKind, ...]:
    """Settings of the class that are not in its figures; the ring is none of them."""
    outlet = question.outlet
    policy_class = outlet.class_named(name)
    remarks = [] if policy_class is None else _left_out(question, policy_class)
    scheduler = scheduler_of(outlet, question.platform)[0]
    if scheduler.is_cut(name, mean_bytes(outlet, demand, name, End.LOW)):
        remarks.append(RemarkKind.SHORTER_QUEUE)
    if outlet.shares_ring and not outlet.ring_idle:
        remarks.append(RemarkKind.SHARED_RING)
    if outlet.shape is not None and outlet.shape.account_bytes is None:
        remarks.append(RemarkKind.ACCOUNT)
    if outlet.has_unread_lines:
        remarks.append(RemarkKind.UNREAD_LINES)
    return tuple(remarks)


def _left_out(question: Question, policy_class: PolicyClass) -> list[RemarkKind]:
    outlet = question.outlet
    buckets = TokenBuckets(outlet, question.platform)
    shape, police = policy_class.shape, policy_class.police
    is_inside = shape is not None and shape is not outlet.shape
    beside = {
        RemarkKind.RANDOM_DETECT: policy_class.wred is not None,
        RemarkKind.SHAPE: is_inside and buckets.class_shaper(policy_class, Framing(0)) is None,
        RemarkKind.POLICE: police is not None and buckets.police(policy_class, Framing(0)) is None,
        RemarkKind.NESTED_POLICY: policy_class.child is not None
        and outlet.queueing is outlet.policy,
    }
    return [kind for kind, is_there in beside.items() if is_there]
