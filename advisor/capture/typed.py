"""Lines that are typed at the prompts of the devices of a log, known to IOS or not."""

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from advisor.ios.exec.prompts import Prompt, prompt_of, split_prompt


def hosts_typed_at(lines: Sequence[str]) -> frozenset[str]:
    """Devices at whose prompts commands are typed that IOS knows."""
    prompts = (prompt_of(line.rstrip()) for line in lines if "#" in line or ">" in line)
    return frozenset(prompt.host for prompt in prompts if prompt is not None and prompt.command)


def own_prompt(line: str, hosts: Collection[str]) -> Prompt | None:
    """The prompt that a line starts with; at that of one of the hosts, anything may be typed.

    IOS takes the name of a host for `telnet`, the number of a session for `resume`.
    """
    if "#" not in line and ">" not in line:
        return None
    prompt = prompt_of(line.rstrip())
    split = split_prompt(line.rstrip()) if prompt is None else None
    if split is None:
        return prompt
    typed = split[1]
    is_own = typed.host in hosts and not typed.mode
    if not is_own or typed.command.startswith(("  ", "\t")):
        return None
    return replace(typed, command=typed.command.strip())
