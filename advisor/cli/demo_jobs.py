"""Servers of extras: simulated routers and the what-if page on loopback, and that of editors."""

import os
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from advisor.cli.endings import WrongUseError
from advisor.cli.lint_options import DemoRouter, Lsp, Serve
from advisor.cli.options import emit
from advisor.cli.process import Code
from advisor.collect.demo.script import (
    DemoBundleError,
    DemoFault,
    Script,
    live_script,
    renamed,
    script_of,
)
from advisor.ground.assets import install_line
from advisor.report import printable

if TYPE_CHECKING:
    from advisor.collect.demo.ssh_server import Router

_LIST: Final = "list"
_OURS: Final = "# Written by `advisor demo-router`; its devices are gone when it ends.\n"
_HIGHEST_PORT: Final = 65535
_SHOWN_DEVICES: Final = 20


def demo_router(options: DemoRouter) -> Code:
    """Run the devices; print where they are and what to try."""
    if _LIST in options.faults:
        emit("".join(f"{fault:<20}{fault.words}\n" for fault in DemoFault), None)
        return Code.CLEAN
    if options.port and options.port + options.count - 1 > _HIGHEST_PORT:
        raise WrongUseError(
            f"--port {options.port}: {options.count} ports from this one end above 65535"
        )
    scripts = _scripts(options)
    try:
        from advisor.collect.demo.ssh_server import routers  # noqa: PLC0415 -- asyncssh is an extra
    except ModuleNotFoundError as error:
        if error.name != "asyncssh":
            raise
        raise WrongUseError(f"demo-router needs asyncssh: {install_line('demo')}") from None
    try:
        with routers(*scripts, port=options.port) as devices:
            if options.inventory is not None:
                _write_inventory(options.inventory, devices)
            emit(_welcome(devices, options), None)
            threading.Event().wait()
    except OSError as error:
        raise WrongUseError(f"--port {options.port}: {error.strerror}") from None
    except KeyboardInterrupt:
        return Code.CLEAN
    raise AssertionError  # waiting has no other end


def _scripts(options: DemoRouter) -> list[Script]:
    if options.bundle is not None and not options.bundle.is_dir():
        raise WrongUseError(f"--bundle {options.bundle}: no such folder")
    numbers = range(options.count)
    try:
        answering = (
            list(map(live_script, numbers))
            if options.bundle is None
            else [script_of(options.bundle)] * options.count
        )
    except DemoBundleError as error:
        raise WrongUseError(f"--bundle {error}") from error
    scripts = [_with_options(script, options) for script in answering]
    if options.count == 1:
        return scripts
    return [
        renamed(script, f"{script.hostname}-{number}")
        for number, script in enumerate(scripts, start=1)
    ]


def _with_options(script: Script, options: DemoRouter) -> Script:
    default = Script()
    return replace(
        script,
        username=options.username or os.environ.get("ADVISOR_USERNAME") or default.username,
        password=os.environ.get("ADVISOR_PASSWORD") or default.password,
        enable_password=os.environ.get("ADVISOR_ENABLE") or None,
        faults=frozenset(_fault(name) for name in options.faults),
    )


def _fault(name: str) -> DemoFault:
    try:
        return DemoFault(name)
    except ValueError:
        raise WrongUseError(
            f"--fault {printable(name)}: unknown; it takes {', '.join(DemoFault)}; "
            "`--fault list` explains them"
        ) from None


def _welcome(devices: "Sequence[Router]", options: DemoRouter) -> str:
    lines = [f"{device.script.hostname}  {device.address}" for device in devices[:_SHOWN_DEVICES]]
    if len(devices) > _SHOWN_DEVICES:
        lines.append(f"and {len(devices) - _SHOWN_DEVICES} more, to {devices[-1].address}")
    script = devices[0].script
    from_environment = bool(os.environ.get("ADVISOR_PASSWORD"))
    password = "that of ADVISOR_PASSWORD" if from_environment else script.password
    lines += ["", f"User {script.username}, password {password}. In another terminal:", ""]
    if not from_environment:
        lines.append(f"  export ADVISOR_USERNAME={script.username} ADVISOR_PASSWORD={password}")
    if options.inventory is None:
        arguments = f"{devices[0].address} --accept-new --known-hosts demo-known-hosts"
    else:
        known_hosts = options.inventory / "known_hosts"
        arguments = f"--inventory {options.inventory} --known-hosts {known_hosts}"
    lines += [
        f"  advisor audit {arguments}",
        f"  advisor collect {arguments} --out bundles",
        "",
        "Ctrl-C ends it.",
    ]
    return _lines(lines)


def _lines(lines: Sequence[str]) -> str:
    return "".join(f"{printable(line)}\n" for line in lines)


def _write_inventory(folder: Path, devices: "Sequence[Router]") -> None:
    hosts = "".join(
        f"demo-{number}:\n  hostname: 127.0.0.1\n  port: {device.port}\n  data:\n    role: wan\n"
        for number, device in enumerate(devices, start=1)
    )
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WrongUseError(f"--write-inventory {folder}: {error.strerror}") from None
    _write(folder / "hosts.yaml", hosts)
    _write(folder / "known_hosts", "".join(device.known_hosts for device in devices))


def _write(file: Path, text: str) -> None:
    try:
        is_ours = not file.exists() or file.read_text("utf-8").startswith(_OURS)
    except (OSError, UnicodeDecodeError):
        is_ours = False
    if not is_ours:
        raise WrongUseError(
            f"{file}: exists and was not written by demo-router: name another folder"
        )
    emit(_OURS + text, file)


_OF_THE_SERVER: Final = ("pygls", "lsprotocol")


def lsp(options: Lsp) -> Code:
    """Serve an editor until it ends the session.

    Raises
    ------
    WrongUseError
        If the packages of the extra are not installed.
    """
    del options
    try:
        from advisor.lsp.server import serve  # noqa: PLC0415 -- an extra
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in _OF_THE_SERVER:
            raise
        raise WrongUseError(f"lsp needs pygls: {install_line('lsp')}") from None
    serve()
    return Code.CLEAN


def serve(options: Serve) -> Code:
    """Serve the what-if page until Ctrl-C, or write it into a folder.

    Raises
    ------
    WrongUseError
        If the packages of the extra are not installed.
    """
    if options.export is not None:
        from advisor.serve.export import export  # noqa: PLC0415 -- a server does without

        emit(export(options.export, options.pyodide), None)
        return Code.CLEAN
    if options.pyodide is not None:
        raise WrongUseError("--pyodide: goes with --export")
    try:
        from advisor.serve.server import Server  # noqa: PLC0415 -- an extra
    except ModuleNotFoundError as error:
        if error.name not in ("starlette", "uvicorn"):
            raise
        raise WrongUseError(f"serve needs {error.name}: {install_line('serve')}") from None
    server = Server()
    emit(
        _lines(
            (server.address.url, "", "Open it in a browser of this machine.", "Ctrl-C ends it.")
        ),
        None,
    )
    with suppress(KeyboardInterrupt):
        server.run()
    return Code.CLEAN
