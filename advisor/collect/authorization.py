"""Commands that a router must permit to the account of the tool, from the allow list."""

from collections.abc import Iterator, Sequence

from advisor.collect.allow_list import SESSION_COMMANDS

_LEVEL = 7


def authorization(commands: Sequence[str]) -> str:
    """Write least-privilege snippets for exactly these commands, three ways to choose from.

    Parameters
    ----------
    commands
        What may be sent, as `Plan.may_send` lists it.

    Returns
    -------
    str
        Command authorization for a TACACS+ server (tac_plus), local privilege levels, and a
        parser view. Secrets are left for a person to fill in.
    """
    blocks = (_tacacs(commands), _privilege(commands), _view(commands))
    return "\n".join("".join(f"{line}\n" for line in block) for block in blocks)


def _tacacs(commands: Sequence[str]) -> Iterator[str]:
    """Rules for tac_plus; IOS adds `<cr>` to the arguments that it asks about."""
    yield "# 1. TACACS+ (tac_plus), with `aaa authorization commands 1` and `15` on the router"
    yield "group = advisor {"
    yield "    default service = deny"
    yield "    service = exec {"
    yield "        priv-lvl = 15"
    yield "    }"
    by_word: dict[str, list[str]] = {}
    for command in (*commands, *SESSION_COMMANDS):
        word, _, arguments = command.partition(" ")
        by_word.setdefault(word, []).append(arguments)
    for word, tails in by_word.items():
        yield f"    cmd = {word} {{"
        yield from (f'        permit "^{f"{tail} <cr>".strip()}$"' for tail in tails)
        yield '        deny ".*"'
        yield "    }"
    yield "}"


def _privilege(commands: Sequence[str]) -> Iterator[str]:
    yield f"! 2. local privilege level {_LEVEL}"
    yield "! each command moves to that level: accounts below it lose those that they had"
    yield "! `show running-config` then shows what that level may configure, which is nothing:"
    yield "! `show running-config view full` shows all, and is asked first below level 15."
    yield from (f"privilege exec level {_LEVEL} {command}" for command in commands)
    yield f"username advisor privilege {_LEVEL} secret CHOOSE-ONE"


def _view(commands: Sequence[str]) -> Iterator[str]:
    yield "! 3. parser view (12.3(7)T and later, needs `aaa new-model` and an enable secret)"
    yield "parser view advisor"
    yield " secret CHOOSE-ONE"
    yield from (f" commands exec include {command}" for command in commands)
    yield from (f" commands exec include {command}" for command in SESSION_COMMANDS)
    yield "username advisor view advisor secret CHOOSE-ONE"
