"""Lines of an interface that join it to others: pools, groups, channels, templates; and RSVP."""

from advisor.facts.interface import Attachment, Direction, RsvpBandwidth
from advisor.facts.interface_draft import InterfaceDraft
from advisor.facts.ranges import RSVP_KBPS, RSVP_PERCENT
from advisor.facts.read_circuits import MAX_POOL
from advisor.facts.read_multilink import MAX_GROUP
from advisor.facts.read_words import Words
from advisor.facts.stated import Stated
from advisor.units import bps_from_kbps


def ip_rsvp(draft: InterfaceDraft, words: Words) -> None:
    """`ip rsvp bandwidth [total [flow]]` or `percent`, and whether RSVP classifies the packets.

    Other lines of RSVP reserve nothing. Source: Cisco IOS QoS: RSVP Configuration Guide, RSVP
    scalability enhancements (`ip rsvp data-packet classification none`).
    """
    if words.accept("data-packet"):
        words.expect("classification")
        words.expect("none")
        words.end()
        draft.rsvp_only_admits = None if words.negated else Stated(value=True, at=words.at)
        return
    if not words.accept("bandwidth"):
        words.rest()
        return
    kind = words.accept("percent", "sub-pool", "mam", "rdm", "ignore")
    if kind in ("sub-pool", "mam", "rdm", "ignore"):
        words.rest()
        return
    percent = words.decimal(RSVP_PERCENT) if kind is not None else None
    total_kbps = words.maybe_within(RSVP_KBPS) if kind is None else None
    words.accept("percent")
    flow_kbps = words.maybe_within(RSVP_KBPS)
    if words.accept("sub-pool"):
        words.rest()
    words.end()
    draft.rsvp = None
    if not words.negated:
        draft.rsvp = RsvpBandwidth(_bps(total_kbps), percent, _bps(flow_kbps), words.at)


def _bps(kbps: int | None) -> float | None:
    return None if kbps is None else bps_from_kbps(kbps)


def nhrp(draft: InterfaceDraft, words: Words) -> None:
    """`[ip] nhrp map group G service-policy output P` of a hub, `[ip] nhrp group G` of a spoke."""
    words.accept("ip")
    words.expect("nhrp")
    is_hub = words.accept("map") is not None
    words.expect("group")
    group = words.take()
    if not is_hub:
        words.end()
        draft.nhrp_group = None if words.negated else Stated(group, words.at)
        return
    if words.negated and words.peek() is None:
        draft.group_policies.pop(group, None)
        return
    words.expect("service-policy")
    words.expect("output")
    name = words.take()
    words.end()
    draft.group_policies.pop(group, None)
    if not words.negated:
        draft.group_policies[group] = Attachment(name, Direction.OUTPUT, words.at)


def source_template(draft: InterfaceDraft, words: Words) -> None:
    name = " ".join(words.rest())
    draft.template = None if words.negated else Stated(name, words.at)


def dialer(draft: InterfaceDraft, words: Words) -> None:
    """`dialer pool 1` of a Dialer; `dialer pool-member 1` of the interface that it uses."""
    kind = words.accept("pool", "pool-member")
    if kind == "pool":
        draft.dialer_pool = words.stated_whole(0, MAX_POOL)
    elif kind == "pool-member":
        _join_pool(draft, words)
    else:
        words.rest()


def pppoe_client(draft: InterfaceDraft, words: Words) -> None:
    """`pppoe-client dial-pool-number 1` of the Ethernet interface that a Dialer uses."""
    if words.accept("dial-pool-number"):
        _join_pool(draft, words)
    else:
        words.rest()


def _join_pool(draft: InterfaceDraft, words: Words) -> None:
    pool = words.whole(0, MAX_POOL)
    words.rest()  # priority, link limits
    if words.negated:
        draft.pool_memberships.pop(pool, None)
    else:
        draft.pool_memberships[pool] = Stated(pool, words.at)


def channel_group(draft: InterfaceDraft, words: Words) -> None:
    """`channel-group 1 mode active` of a member of Port-channel1."""
    number = Stated(words.whole(1, MAX_GROUP), words.at)
    words.rest()
    draft.channel_group = None if words.negated else number
