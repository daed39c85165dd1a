"""A fleet: one device proves the credentials, then many at a time. Each ends in an outcome."""

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from enum import StrEnum
from pathlib import Path
from threading import Event, Semaphore
from time import monotonic

from msgspec import Struct, field
from msgspec.structs import replace

from advisor.capture import Capture
from advisor.capture.bundle import BundleError, is_bundle, read_bundle, write_bundle
from advisor.capture.masking import redact_capture
from advisor.collect.connection import connected, shown_key, trouble_as_faults
from advisor.collect.credentials import Credentials, Keychain
from advisor.collect.crypto import SshProfile
from advisor.collect.faults import DeviceError, Fault, Limits, next_step_of
from advisor.collect.host_keys import KnownHosts, KnownHostsError
from advisor.collect.hosts import Target
from advisor.collect.jump import Jump, jump_over
from advisor.collect.login import Gate, OneTry
from advisor.collect.plan import Plan
from advisor.collect.shell import Shell
from advisor.collect.take import Taking
from advisor.faults import Guard, guarded

_Login = tuple[Target, Credentials]
_FAILED = "internal error: a defect of advisor"
_REPORT_IT = "report the defect with its crash report"
_OF_KNOWN_HOSTS = "correct that file, or give another --known-hosts"
_PROOF_POLL_S = 0.01  # of the one login that all others wait for


class State(StrEnum):
    """How it ended with a device."""

    COLLECTED = "collected"
    INCOMPLETE = "incomplete"
    KEPT = "kept"  # a whole bundle of an earlier run
    NOT_REACHED = "not reached"


class Outcome(Struct, frozen=True):
    """One device: its bundle where there is one, why it is not whole, and what to do."""

    target: Target
    state: State
    folder: Path | None = None
    device: str | None = None
    reason: str = ""
    next_step: str = ""
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    may_pass: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether nothing of the device is missing."""
        return self.state in (State.COLLECTED, State.KEPT)


class Fleet(Struct):
    """What all devices of a run share.

    `say` is told of every device what happens with it; it may be called by many threads.
    """

    plan: Plan
    keychain: Keychain
    known: KnownHosts
    out: Path
    limits: Limits = field(default_factory=Limits)
    workers: int = 20
    accept_new: bool = False
    resume: bool = False
    jump_host: Target | None = None
    say: Callable[[Target, str], None] = lambda *said: None  # noqa: ARG005
    guard: Guard | None = None
    gate: Gate = field(default_factory=Gate)
    enable_gate: Gate = field(default_factory=Gate)
    stop: Event = field(default_factory=Event)
    _jump: Jump | None = None
    _proven_users: set[str] = field(default_factory=set)
    _slots: Semaphore = field(default_factory=Semaphore)

    def __post_init__(self) -> None:
        self._slots = Semaphore(self.workers)

    def collect(self, targets: Sequence[Target]) -> Generator[Outcome, None, None]:
        """Collect from devices; yield each as it ends, in whatever order.

        A user's credentials are proven on one device after the other until one takes them; from
        that login on up to `workers` are asked at a time. Closing the iterator ends the run: what
        is written stays, nothing else is begun.

        Raises
        ------
        CredentialsError
            If a device has no user name, or a user no secret.
        DeviceError
            If the jump host cannot be used.
        """
        waiting = []
        for target in targets:
            kept = self._kept(target)
            if kept is None:
                waiting.append((target, self.keychain.of(target)))
            else:
                yield kept
        try:
            if waiting and self.jump_host is not None:
                self._jump = self._jumped(self.jump_host)
            yield from self._all(waiting)
        finally:
            self._end()
            if self._jump is not None:
                self._jump.close()

    def _end(self) -> None:
        """Begin nothing more, and let nobody wait for a turn."""
        self.stop.set()
        self.gate.close()
        self.enable_gate.close()

    def _kept(self, target: Target) -> Outcome | None:
        folder = self.out / target.folder
        if not self.resume or not is_bundle(folder):
            return None
        capture = read_bundle(folder)
        if capture.gaps:
            return None
        return Outcome(target, State.KEPT, folder, capture.device)

    def _jumped(self, host: Target) -> Jump:
        credentials = self.keychain.of(host)
        if self.accept_new:
            shown_key(host, self.known, self.limits, None)
        with trouble_as_faults():
            return jump_over(host, OneTry(credentials, self.gate), self.known, self.limits)

    def _all(self, waiting: Sequence[_Login]) -> Generator[Outcome, None, None]:
        # Those that write a bundle or wait for another try take nobody's turn.
        with ThreadPoolExecutor(2 * self.workers, "device") as pool:
            running: dict[Future[Outcome], _Login | None] = {}
            try:
                rest = yield from self._proven(waiting, pool, running)
                running |= {pool.submit(self._one, *each): None for each in rest}
                while running:
                    done, _ = wait(running, return_when=FIRST_COMPLETED)
                    for each in done:
                        again, outcome = running.pop(each), each.result()
                        if again is not None and outcome.may_pass and not self.stop.is_set():
                            running[pool.submit(self._one, *again)] = None
                        else:
                            yield outcome
            finally:
                self._end()
                for each in running:
                    each.cancel()

    def _proven(
        self,
        waiting: Sequence[_Login],
        pool: ThreadPoolExecutor,
        running: dict[Future[Outcome], _Login | None],
    ) -> Generator[Outcome, None, list[_Login]]:
        """Prove each user on one device; return those that nobody has begun.

        A device that took the login goes on in `running`, with the tries that it has left. So does
        one that takes its time. One that is not reached proves nothing: it gets its other tries
        later, among the others.
        """
        left = list(waiting)
        for each in waiting:
            target, credentials = each
            if credentials.username in self._proven_users:
                continue
            asked = pool.submit(self._one, target, credentials, 1)
            patient_until = monotonic() + self.limits.connect_s
            while not asked.done() and credentials.username not in self._proven_users:
                if monotonic() > patient_until:
                    break  # the next one proves it: a slow one holds up nobody
                wait((asked,), _PROOF_POLL_S)
            if not asked.done():
                left.remove(each)
                running[asked] = each if len(waiting) > 1 else None
            elif not (asked.result().may_pass and len(waiting) > 1):
                left.remove(each)
                yield asked.result()
        return left

    def _one(self, target: Target, credentials: Credentials, tries: int | None = None) -> Outcome:
        """One device from its key to its bundle. What fails is its outcome."""
        started = monotonic()
        outcome = Outcome(target, State.NOT_REACHED, reason=_FAILED, next_step=_REPORT_IT)
        with guarded(self.guard, target.name):
            outcome = self._ended(target, credentials, tries)
        return replace(outcome, seconds=outcome.seconds or monotonic() - started)

    def _ended(self, target: Target, credentials: Credentials, tries: int | None) -> Outcome:
        try:
            return self._tried(target, credentials, tries or self.limits.retries + 1)
        except DeviceError as error:
            return Outcome(
                target,
                State.NOT_REACHED,
                reason=str(error),
                next_step=error.next_step,
                may_pass=error.may_pass,
            )
        except KnownHostsError as error:
            reason = str(error)
            return Outcome(target, State.NOT_REACHED, reason=reason, next_step=_OF_KNOWN_HOSTS)

    def _tried(self, target: Target, credentials: Credentials, tries: int) -> Outcome:
        """Connect with a few tries; a login is tried once."""
        pause_s = self.limits.backoff_s
        for left in range(tries - 1, -1, -1):
            if self.stop.is_set():
                break
            if self.gate.is_closed:
                raise DeviceError(Fault.STOPPED, "logins were refused before")
            try:
                if self.accept_new:
                    shown_key(target, self.known, self.limits, self._jump)
                with self._slots:
                    started = monotonic()
                    capture, notes = self._session(target, credentials)
                outcome = self._written(target, credentials, capture, notes)
                return replace(outcome, seconds=monotonic() - started)
            except DeviceError as error:
                if not error.may_pass or not left:
                    raise
                self.say(target, f"{error}; again in {pause_s:g} s")
            self.stop.wait(pause_s)
            pause_s *= 2
        raise DeviceError(Fault.INTERRUPTED)

    def _session(self, target: Target, credentials: Credentials) -> tuple[Capture, tuple[str, ...]]:
        login = OneTry(credentials, self.gate)
        self.say(target, "connecting")
        session = connected(target, login, self.known, self.limits, self.stop, jump=self._jump)
        with session as (shell, old):
            self._proven_users.add(credentials.username)
            notes = [f"old SSH algorithms: {', '.join(old)}"] if old else []
            if target.profile is SshProfile.LEGACY and not old:
                notes.append("old SSH algorithms were allowed, none was used")
            shell.start()
            if credentials.enable is not None and not shell.is_enabled:
                notes += self._enabled(shell, credentials.enable)
            taking = Taking(
                shell, self.plan, self.limits, self.stop, lambda text: self.say(target, text)
            )
            taking.notes += notes
            capture = taking.run(target.endpoint)
        if self.stop.is_set() and capture.gaps:
            raise DeviceError(Fault.INTERRUPTED)
        return capture, tuple(taking.notes)

    def _enabled(self, shell: Shell, secret: str) -> list[str]:
        """Enter the privileged mode, unless its secret was refused twice in the fleet."""
        try:
            with self.enable_gate.turn() as turn:
                shell.ask_to_enable()
                turn.is_sent = True
                shell.enable(secret)
                turn.is_taken = True
        except DeviceError as error:
            if error.fault is not Fault.STOPPED:
                raise
            if self.stop.is_set():
                raise DeviceError(Fault.INTERRUPTED) from None
            return [f"`enable` was not tried: {error.detail}"]
        return []

    def _written(
        self, target: Target, credentials: Credentials, capture: Capture, notes: tuple[str, ...]
    ) -> Outcome:
        """Write the bundle, without secrets: nothing else ever reaches the disk."""
        folder = self.out / target.folder
        ends_at = monotonic() + self.limits.redact_s

        def in_time() -> None:
            if monotonic() > ends_at:
                raise DeviceError(Fault.NOT_REDACTED, f"over {self.limits.redact_s:g} s")

        clean = redact_capture(capture, credentials.secrets, in_time)
        try:
            write_bundle(clean, folder)
        except BundleError as error:
            raise DeviceError(Fault.NOT_WRITTEN, str(error)) from None
        gaps = clean.gaps
        if not gaps:
            return Outcome(target, State.COLLECTED, folder, clean.device, notes=notes)
        more = f" (and {len(gaps) - 1} more)" if len(gaps) > 1 else ""
        return Outcome(
            target,
            State.INCOMPLETE,
            folder,
            clean.device,
            f"{gaps[0]}{more}",
            next_step_of(gaps),
            notes,
        )
