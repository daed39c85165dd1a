"""Collects from many devices in parallel, after one has accepted the credentials.

Each device ends in an outcome, also when it fails.
"""

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from enum import StrEnum
from pathlib import Path
from threading import Semaphore
from time import monotonic

from msgspec import Struct, field
from msgspec.structs import replace

from advisor.capture.masking import without_secrets
from advisor.capture.read_bundle import is_bundle, read_bundle, with_texts
from advisor.capture.sections import Capture, GapKind, Section
from advisor.capture.write_bundle import BundleError, refuse_others
from advisor.collect import NEXT_STEPS, DeviceError, Failure, ReadLimits, Stop, next_step_of
from advisor.collect.bundles import holds, write_masked
from advisor.collect.connection import Jump, connected, jump_over, record_key, trouble_as_faults
from advisor.collect.hosts import Credentials, Keychain, KnownHosts, KnownHostsError, Target
from advisor.collect.login import LoginGate, OneTry
from advisor.collect.plan import CollectPlan
from advisor.collect.shell import Shell
from advisor.collect.take import DeviceTaking
from advisor.collect.transport import SshProfile
from advisor.ground.faults import Guard, guarded

_Login = tuple[Target, Credentials]
_FAILED = "internal error: a defect of advisor"
_REPORT_IT = "report the defect with its crash report"
_OF_KNOWN_HOSTS = "correct that file, or give another --known-hosts"
_PROOF_POLL_S = 0.01  # between two looks at the login that all others wait for
_HEAD_START_S = 0.3  # time for one device to log in before the next one is connected to


class DeviceState(StrEnum):
    """How the collection of a device ended."""

    COLLECTED = "collected"
    INCOMPLETE = "incomplete"
    KEPT = "kept"  # a whole bundle of an earlier run
    NOT_REACHED = "not reached"


class DeviceOutcome(Struct, frozen=True):
    """One device: its bundle where there is one, why it is not whole, and what to do."""

    target: Target
    state: DeviceState
    folder: Path | None = None
    device: str | None = None
    reason: str = ""
    next_step: str = ""
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    captured: Capture | None = None  # the bundle with the texts as they were printed

    @property
    def is_whole(self) -> bool:
        """Whether nothing of the device is missing."""
        return self.state in (DeviceState.COLLECTED, DeviceState.KEPT)

    def capture(self, *, is_kept: bool) -> Capture | None:
        """The capture; files of a bundle that is not kept have the name of the device.

        None where nothing was captured.
        """
        if self.folder is None:
            return None
        capture = self.captured or read_bundle(self.folder)
        return capture if is_kept else _named_by_device(capture)


def stored_bundle(folder: Path) -> Capture:
    """A bundle as it is stored; its files have the name of the device, wherever it lies."""
    return _named_by_device(read_bundle(folder))


def _named_by_device(capture: Capture) -> Capture:
    folder = Path(capture.file)

    def shown(section: Section) -> Section:
        return replace(section, file=str(Path(folder.name, Path(section.file).name)))

    return replace(
        capture,
        file=folder.name,
        sections=tuple(map(shown, capture.sections)),
        earlier=tuple(map(shown, capture.earlier)),
    )


class FleetRun(Struct):
    """State and callbacks that all devices of a run share.

    `say` is called with the events of a device, by many threads. `judged_in_memory`:
    outcomes keep the unmasked output for judging; only the stored bundle is masked. `ended` are all
    devices that have ended, also those whose outcome was not yet yielded at an interrupt.
    """

    plan: CollectPlan
    keychain: Keychain
    known_hosts: KnownHosts
    out: Path
    limits: ReadLimits = field(default_factory=ReadLimits)
    workers: int = 20
    accept_new: bool = False
    resume: bool = False
    jump_host: Target | None = None
    say: Callable[[Target, str], None] = lambda *words: None  # noqa: ARG005
    guard: Guard | None = None
    gate: LoginGate = field(default_factory=LoginGate)
    enable_gate: LoginGate = field(default_factory=LoginGate)
    stop: Stop = field(default_factory=Stop)
    judged_in_memory: bool = False
    ended: list[DeviceOutcome] = field(default_factory=list)
    _jump: Jump | None = None
    _slots: Semaphore = field(default_factory=Semaphore)

    def __post_init__(self) -> None:
        self._slots = Semaphore(self.workers)
        self.gate.patience_s = self.enable_gate.patience_s = self.limits.connect_s

    def collect(self, targets: Sequence[Target]) -> Generator[DeviceOutcome, None, None]:
        """Collect from devices; yield each as it ends, so in any order.

        A user's credentials are proven on one device after the other until one takes them: the
        next ones are connected to meanwhile, and wait before their login. Closing the iterator
        ends the run: what is written stays, nothing else is begun.

        Raises
        ------
        CredentialsError
            If a device has no user name, or a user no secret.
        DeviceError
            If the jump host cannot be used.
        """
        waiting = []
        for target in targets:
            bundle = self._kept(target)
            if bundle is None:
                waiting.append((target, self.keychain.of(target)))
            else:
                yield bundle
        try:
            if waiting and self.jump_host is not None:
                self._jump = self._jumped(self.jump_host)
            yield from self._all(waiting)
        finally:
            self._end()
            if self._jump is not None:
                self._jump.close()

    def _end(self) -> None:
        """Start no more devices, and end all waits for a login."""
        self.stop.set()
        self.gate.close()
        self.enable_gate.close()

    def _kept(self, target: Target) -> DeviceOutcome | None:
        folder = self.out / target.folder
        if not self.resume or not is_bundle(folder):
            return None
        capture = read_bundle(folder)
        if not holds(capture, self.plan, target):
            return None
        return DeviceOutcome(target, DeviceState.KEPT, folder, capture.device)

    def _jumped(self, host: Target) -> Jump:
        credentials = self.keychain.of(host)
        if self.accept_new:
            record_key(host, self.known_hosts, self.limits, self.stop, None)
        with trouble_as_faults():
            login = OneTry(credentials, self.gate)
            return jump_over(host, login, self.known_hosts, self.limits, self.stop)

    def _all(self, waiting: Sequence[_Login]) -> Generator[DeviceOutcome, None, None]:
        # Devices that write a bundle or wait for another try occupy no worker slot.
        with ThreadPoolExecutor(2 * self.workers, "device") as pool:
            running: set[Future[DeviceOutcome]] = set()
            try:
                for login in waiting:
                    future = pool.submit(self._one, *login)
                    running.add(future)
                    if len(running) < self.workers:
                        self._give_a_head_start(login, future)
                    finished = {future for future in running if future.done()}
                    running -= finished
                    yield from (future.result() for future in finished)
                while running:
                    finished, running = wait(running, return_when=FIRST_COMPLETED)
                    yield from (future.result() for future in finished)
            finally:
                self._end()
                for future in running:
                    future.cancel()

    def _give_a_head_start(self, login: _Login, future: Future[DeviceOutcome]) -> None:
        """Let a device prove the credentials before the next one is connected to."""
        _, credentials = login
        deadline_s = monotonic() + _HEAD_START_S
        while monotonic() < deadline_s and not future.done():
            if self.gate.is_proven(credentials.username) or self.gate.is_closed:
                return
            wait((future,), _PROOF_POLL_S)

    def _one(self, target: Target, credentials: Credentials) -> DeviceOutcome:
        """Collect one device, from host key to bundle; a failure becomes its outcome."""
        started = monotonic()
        outcome = DeviceOutcome(
            target, DeviceState.NOT_REACHED, reason=_FAILED, next_step=_REPORT_IT
        )
        with guarded(self.guard, target.name):
            outcome = self._ended(target, credentials)

        def said(text: str) -> str:
            return without_secrets(credentials.secrets, text)

        outcome = replace(
            outcome,
            device=None if outcome.device is None else said(outcome.device),
            reason=said(outcome.reason),
            notes=tuple(map(said, outcome.notes)),
            seconds=outcome.seconds or monotonic() - started,
        )
        self.ended.append(outcome)
        return outcome

    def _ended(self, target: Target, credentials: Credentials) -> DeviceOutcome:
        try:
            return self._tried(target, credentials)
        except DeviceError as error:
            reason, step = str(error), error.next_step
        except BundleError as error:
            reason, step = str(error), NEXT_STEPS[Failure.NOT_WRITTEN]
        except KnownHostsError as error:
            reason, step = str(error), _OF_KNOWN_HOSTS
        return DeviceOutcome(target, DeviceState.NOT_REACHED, reason=reason, next_step=step)

    def _tried(self, target: Target, credentials: Credentials) -> DeviceOutcome:
        """Connect with a few tries; a login is tried once."""
        refuse_others(self.out / target.folder)
        pause_s, retries, deadline_s = self.limits.backoff_s, self.limits.retries, None
        while not self.stop.is_set():
            if self.gate.is_closed:
                raise DeviceError(Failure.STOPPED, "logins were refused before")
            try:
                return self._connected(target, credentials)
            except DeviceError as error:
                deadline_s = deadline_s or monotonic() + self.limits.device_s
                if error.fault is Failure.DROPPED and monotonic() < deadline_s:
                    # The device closed it while others logged in: that is no fault of the device.
                    self.gate.wait_for_room(credentials.username)
                    continue
                if not error.may_pass or not retries:
                    raise
                message = without_secrets(credentials.secrets, str(error))
                self.say(target, f"{message}; again in {pause_s:g} s")
            self.stop.wait(pause_s)
            pause_s, retries = pause_s * 2, retries - 1
        raise DeviceError(Failure.INTERRUPTED)

    def _connected(self, target: Target, credentials: Credentials) -> DeviceOutcome:
        if self.accept_new:
            record_key(target, self.known_hosts, self.limits, self.stop, self._jump)
        with self._slots:
            started = monotonic()
            capture, notes = self._session(target, credentials)
        outcome = self._written(target, credentials, capture, notes)
        return replace(outcome, seconds=monotonic() - started)

    def _session(self, target: Target, credentials: Credentials) -> tuple[Capture, tuple[str, ...]]:
        """Take the outputs; after a command that hangs, the rest in another session.

        The session that hung is closed: what it still prints would be taken for the next answer.
        """
        taking = DeviceTaking(
            self.plan, self.limits, self.stop, lambda text: self.say(target, text)
        )
        deadline_s = monotonic() + self.limits.device_s
        try:
            while not self._taken(target, credentials, taking, deadline_s):
                self.say(target, "a command hangs: the rest in another session")
        except DeviceError as error:
            if taking.hostname is None:
                raise
            taking.give_up(error)
        capture = taking.capture(target.endpoint)
        if self.stop.is_set() and capture.gaps:
            raise DeviceError(Failure.INTERRUPTED)
        return capture, tuple(dict.fromkeys(taking.notes))

    def _taken(
        self, target: Target, credentials: Credentials, taking: DeviceTaking, deadline_s: float
    ) -> bool:
        """One session; whether nothing is left to ask."""
        login = OneTry(credentials, self.gate)
        self.say(target, "connecting")
        session = connected(
            target,
            login,
            self.known_hosts,
            self.limits,
            self.stop,
            jump=self._jump,
            deadline_s=deadline_s,
        )
        with session as (shell, old):
            if old:
                taking.notes.append(f"old SSH algorithms: {', '.join(old)}")
            elif target.profile is SshProfile.LEGACY:
                taking.notes.append("old SSH algorithms were allowed, none was used")
            shell.start()
            if credentials.enable is not None and not shell.is_enabled:
                taking.notes += self._enabled(shell, credentials)
            return taking.go_on(shell)

    def _enabled(self, shell: Shell, credentials: Credentials) -> list[str]:
        """Enter the privileged mode, unless its secret was refused twice in the fleet."""
        gate, is_refusable = self.enable_gate, False
        try:
            with gate.turn(credentials.username) as turn:
                is_refusable = True
                shell.ask_to_enable()
                shell.answer_enable(credentials.enable or "", lambda: gate.begin(turn))
                shell.await_enabled()
                turn.is_taken = True
        except DeviceError as error:
            if is_refusable or error.fault is not Failure.STOPPED:
                raise
            if self.stop.is_set():
                raise DeviceError(Failure.INTERRUPTED) from None
            return [f"`enable` was not tried: {error.detail}"]
        return []

    def _written(
        self, target: Target, credentials: Credentials, capture: Capture, notes: tuple[str, ...]
    ) -> DeviceOutcome:
        folder = self.out / target.folder
        masked = write_masked(capture, credentials.secrets, folder, self.limits, self.stop)
        captured = None
        if self.judged_in_memory:
            captured = with_texts(read_bundle(folder), capture, credentials.secrets)
        # An output that was cut is why those after it are missing.
        gaps = sorted(masked.gaps, key=lambda gap: gap.kind is GapKind.MISSING)
        if not gaps:
            return DeviceOutcome(
                target, DeviceState.COLLECTED, folder, masked.device, notes=notes, captured=captured
            )
        remainder = f" (and {len(gaps) - 1} more)" if len(gaps) > 1 else ""
        return DeviceOutcome(
            target,
            DeviceState.INCOMPLETE,
            folder,
            masked.device,
            f"{gaps[0]}{remainder}",
            next_step_of(gaps),
            notes,
            captured=captured,
        )
