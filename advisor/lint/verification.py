"""Show commands that tell, after the paste, whether a remedy took effect, and what they show."""

from collections.abc import Iterator, Sequence

from advisor.lint.accepted import Step, steps_of
from advisor.lint.findings import Verification

_TOS = "dlsw tos"


def verifications(lines: Sequence[str]) -> tuple[Verification, ...]:
    """Show commands for lines that were pasted.

    >>> for check in verifications(("interface Serial0/0", " tx-ring-limit 1")):
    ...     print(check)
    show running-config interface Serial0/0: tx-ring-limit 1
    show controllers Serial0/0 | include tx_limited: tx_limited, with 1 in brackets
    >>> for check in verifications(("policy-map EDGE", " class A", "  random-detect dscp 10 9 30")):
    ...     print(check)
    show policy-map EDGE: class A: random-detect dscp 10 9 30
    >>> for check in verifications(("crypto map VPN 10 ipsec-isakmp", " qos pre-classify")):
    ...     print(check)
    show running-config | section crypto map VPN 10 ipsec-isakmp: qos pre-classify
    """
    found: dict[str, list[str]] = {}
    for command, shows in _checks([step for _, step in steps_of(lines)]):
        found.setdefault(command, []).append(shows)
    return tuple(
        Verification(command, ", ".join(dict.fromkeys(shows))) for command, shows in found.items()
    )


def _checks(steps: Sequence[Step]) -> Iterator[tuple[str, str]]:
    for number, step in enumerate(steps):
        deeper = number + 1 < len(steps) and len(steps[number + 1].path) > len(step.path)
        if deeper:
            continue  # a head: its settings follow
        head = step.path[0] if step.path else step.text
        kind, _, name = head.partition(" ")
        if kind == "interface":
            yield f"show running-config interface {name}", _shown(step)
            yield from _of_interface(step, name)
        elif kind in ("policy-map", "class-map"):
            yield f"show {kind} {name.split()[-1]}", _shown(step)
        elif kind == "dlsw" and not head.startswith(_TOS):
            yield "show dlsw peers", "every peer in state CONNECT"
        elif step.path:
            yield f"show running-config | section {head}", _shown(step)
        else:
            subject = " ".join(head.removeprefix("no ").split()[:2])
            yield f"show running-config | include {subject}", _shown(step)
        if step.text.startswith("frame-relay fragment "):
            shows = f"frag-size {step.text.split()[2]}, dropped-frag steady at both ends"
            yield "show frame-relay fragment", shows


def _of_interface(step: Step, name: str) -> Iterator[tuple[str, str]]:
    word, _, amount = step.text.partition(" ")
    if word == "tx-ring-limit":
        if any(head.startswith("pvc") for head in step.path):
            yield f"show atm pvc interface {name}", "the circuit is UP"
        else:
            ring = f"tx_limited, with {amount} in brackets"
            yield f"show controllers {name} | include tx_limited", ring
    elif step.text == "ppp multilink interleave":
        shows = "Interleaving enabled, every member active, lost fragments steady"
        yield "show ppp multilink", shows


def _shown(step: Step) -> str:
    """The setting as the configuration shows it; with its inner section, as `class A: …`."""
    inner = "".join(f"{head}: " for head in step.path[1:])
    if step.text.startswith("no "):
        return f"{inner}without {step.text.removeprefix('no ')}"
    return f"{inner}{step.text}"
