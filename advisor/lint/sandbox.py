"""Fills templates that are not ours: Jinja2's sandbox, with bounds on time, memory and size.

`serve` runs in a process of its own, which `template_process` starts: its limits are those of the
system, so that they hold whatever a template does. Where the system has none, the other side's
clock is left.
"""

import os
import pickle
import signal
import time
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from math import ceil
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, Literal, cast

import msgspec
from msgspec import Struct

from advisor.ground.units import whole

if TYPE_CHECKING:
    from jinja2.sandbox import SandboxedEnvironment


FORBIDDEN: Final = ("!", "?", "{{", "{%", "{#", "^C")  # comment, help, template syntax, delimiter
_FILTERS: Final = frozenset(
    """abs capitalize count d default first float format int items join last length list lower
    map max min reject rejectattr replace reverse round select selectattr sort string sum title
    trim unique upper""".split()  # noqa: SIM905 -- a list of strings would be a page
)
_GLOBALS: Final = frozenset(("namespace", "range"))
_NO_TESTS: Final = frozenset(("callable", "escaped", "filter", "sameas", "test"))
_LONGEST_MESSAGE: Final = 400
_LENGTH_BYTES: Final = 4
_EACH_KIND: Final = {  # templates that import all that Jinja2 imports late
    "base": "{% block a %}{% endblock %}",
    "used": r"""{% extends 'base' %}{% block a %}{{ '%g\n' | format(1) }}{% endblock %}""",
    "more": "{% macro m(a) %}{{ caller() }}{% endmacro %}{% call m(1) %}x{% endcall %}"
    "{% set a = namespace(b=1) %}{% for c in range(3) if c is odd %}{{ loop.cycle(1, 2) }}"
    "{% endfor %}{% filter upper %}x{% endfilter %}{% include 'base' %}{{ '{}'.format(1) }}"
    "{{ [1, 2] | map('string') | join | default('') | trim | title }}{% import 'base' as i %}",
    "fails": "{% if 1 %}\n{{ [] | first | x }}",
    "falls": "{{ a.b[0] }}",
    "parts": "{{ 1 / 0 }}",
}
_AGAIN_S: Final = 0.05  # where the first signal came while nothing could be raised


class UnsafeValueError(Exception):
    """A value from the config could add a command to the snippet or change its meaning."""


def guarded(value: object) -> object:
    """Return the value if it is safe in a snippet.

    Raises
    ------
    UnsafeValueError
        If it is text with a control character, a line break, `!`, `?` or template syntax.

    Examples
    --------
    >>> guarded("WAN-EDGE")
    'WAN-EDGE'
    """
    if isinstance(value, str):
        for char in value:
            if unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp", "Cs", "Co"):
                raise UnsafeValueError(f"control character {char!a} in {value!a}")
        for word in FORBIDDEN:
            if word in value:
                raise UnsafeValueError(f"{word!a} in {value!a}")
    return value


class TemplateLimits(Struct, frozen=True):
    """Bounds of templates that are not ours; ours take a thousandth of them.

    `cpu_s` is the processor time of one. All of a run have `run_s`, and `each_s` for each that is
    filled. `clock_s` bounds the wait for one where the system measures no processor time, and on
    a busy machine. `memory_bytes` is beside what Python takes.
    """

    cpu_s: float = 1.0
    run_s: float = 10.0
    each_s: float = 0.005
    clock_s: float = 30.0
    memory_bytes: int = 128 * 2**20
    characters: int = 100_000
    lines: int = 1_000


class TemplateSource(Struct, frozen=True):
    """The text of a template and the file that errors name."""

    text: str
    file: str


class TemplateLoad(Struct, frozen=True):
    """Compile the templates of a site; `ours` stand behind them."""

    own: dict[str, TemplateSource]
    ours: dict[str, TemplateSource]


class Fill(Struct, frozen=True):
    """Fill one of the templates that were loaded."""

    name: str
    values: dict[str, Any]


class TemplateAnswer(Struct, frozen=True):
    """The text of a template, or what is wrong with it: its file and line, as far as known.

    A `fault` is an error of the template, a `bound` one that it met, `unsafe` a value of the
    configuration.
    """

    text: str = ""
    wrong: Literal["", "fault", "bound", "unsafe"] = ""
    message: str = ""
    file: str = ""
    line: int | None = None


class BoundError(Exception):
    """A template met one of its bounds."""


class _TimeIsUp(BaseException):
    """The processor time of a template is used up."""


class Sandbox:
    """Templates of a site, compiled and filled within limits."""

    def __init__(self, limits: TemplateLimits) -> None:
        self._limits = limits
        self._environment: SandboxedEnvironment | None = None
        self._files: dict[str, str] = {}
        self._used_s, self._filled = 0.0, 0

    def answer(self, request: TemplateLoad | Fill) -> TemplateAnswer:
        """Compile or fill; whatever goes wrong is an answer."""
        if isinstance(request, Fill):
            return self._within(request.name, lambda: self._fill(request))
        self._environment = environment({**request.ours, **request.own}, self._limits)
        self._files = {name: source.file for name, source in request.own.items()}
        for name in request.own:
            answer = self._within(name, partial(self._compile, name))
            if answer.wrong:
                return answer
        return TemplateAnswer()

    def _compile(self, name: str) -> str:
        assert self._environment is not None  # noqa: S101 -- a fill comes after a load
        self._environment.get_template(name)
        return ""

    def _fill(self, request: Fill) -> str:
        assert self._environment is not None  # noqa: S101 -- a fill comes after a load
        parts: list[str] = []
        most = room = self._limits.characters
        for part in self._environment.get_template(request.name).generate(request.values):
            parts.append(part)
            room -= len(part)
            if room < 0:
                raise BoundError(f"makes more than {most} characters")
        text = "".join(parts)
        if text.count("\n") > self._limits.lines:
            raise BoundError(f"makes more than {self._limits.lines} lines")
        return text

    def _within(self, name: str, work: Callable[[], str]) -> TemplateAnswer:
        limits, began_s = self._limits, time.process_time()
        left_s = limits.run_s + limits.each_s * self._filled - self._used_s
        try:
            if left_s <= 0:
                raise _TimeIsUp  # noqa: TRY301 -- as the clock does
            with _clocked(min(limits.cpu_s, left_s)):
                return TemplateAnswer(work())
        except UnsafeValueError as error:
            return TemplateAnswer(wrong="unsafe", message=str(error)[:_LONGEST_MESSAGE])
        except (_TimeIsUp, Exception) as error:  # noqa: BLE001 -- whatever a template raises
            bound = self._bound(error, is_of_run=left_s < limits.cpu_s)
            return _wrong(error, bound, self._files.get(name, name))
        finally:
            self._used_s += time.process_time() - began_s
            self._filled += 1

    def _bound(self, error: BaseException, *, is_of_run: bool) -> str | None:
        """The bound that a template met; None where it is another error."""
        limits = self._limits
        match error:
            case _TimeIsUp() if is_of_run:
                return f"the templates take more than {limits.run_s:g} s of processor time"
            case _TimeIsUp():
                return f"takes more than {limits.cpu_s:g} s of processor time"
            case MemoryError():
                return f"takes more than {limits.memory_bytes // 2**20} MB of memory"
            case RecursionError():
                return "is nested too deeply, or includes or calls itself"
            case BoundError():
                return str(error)
            case _:
                return None


def _wrong(error: BaseException, bound: str | None, file: str) -> TemplateAnswer:
    """Describe an error, with the last line of a template that was gone through."""
    named, line = getattr(error, "filename", None), getattr(error, "lineno", None)
    if named is None or line is None:
        named, line = next(reversed(list(_template_lines(error))), (file, None))
    message = bound or str(error) or type(error).__name__
    return TemplateAnswer(
        "", "bound" if bound else "fault", message[:_LONGEST_MESSAGE], str(named), line
    )


def _template_lines(error: BaseException) -> Iterator[tuple[str, int | None]]:
    trace = error.__traceback__
    while trace is not None:
        names = trace.tb_frame.f_globals
        line = cast("int | None", trace.tb_lineno)  # code that Jinja2 makes has steps of no line
        if line is None:
            pass
        elif (template := names.get("__jinja_template__")) is not None:
            yield template.filename, template.get_corresponding_lineno(line)
        elif "__jinja_exception__" in names:  # Jinja2 has translated it
            yield trace.tb_frame.f_code.co_filename, line
        trace = trace.tb_next


def environment(
    sources: Mapping[str, TemplateSource], limits: TemplateLimits
) -> "SandboxedEnvironment":
    """Return Jinja2's sandbox with what a template of commands needs.

    It reads no file. No product or power makes a value of any size, also where memory has no limit.
    """
    from jinja2 import FunctionLoader, StrictUndefined  # noqa: PLC0415 -- not in the other process
    from jinja2.runtime import Context  # noqa: PLC0415
    from jinja2.sandbox import ImmutableSandboxedEnvironment  # noqa: PLC0415

    class Bounded(ImmutableSandboxedEnvironment):
        intercepted_binops = frozenset(("*", "**"))

        def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:  # noqa: ANN401
            if operator == "**" or _length(left, right) > limits.characters:
                raise BoundError("a product or a power makes too much")
            return super().call_binop(context, operator, left, right)

        def getattr(self, obj: Any, attribute: str) -> Any:  # noqa: ANN401
            """Fields of a record come before the methods of the dictionary that it is here."""
            if isinstance(obj, dict) and attribute in obj:
                return obj[attribute]
            return super().getattr(obj, attribute)

    by_name = {name: (item.text, item.file, lambda: True) for name, item in sources.items()}
    made = Bounded(
        loader=FunctionLoader(by_name.get),
        undefined=StrictUndefined,
        autoescape=False,
        finalize=_guarded_text,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    _keep(made.filters, _FILTERS)
    _keep(made.globals, _GLOBALS)
    _keep(made.tests, made.tests.keys() - _NO_TESTS)
    return made


def _keep(named: dict[str, Any], names: Iterable[str]) -> None:
    kept = {name: named[name] for name in names}
    named.clear()
    named.update(kept)


def _guarded_text(value: object) -> object:
    """Guard a value, also the texts in the list or table that it may be."""
    return guarded(str(value) if isinstance(value, list | tuple | dict) else value)


def _length(left: object, right: object) -> int:
    """Length of what a product of a text or a tuple and a number makes; 0 of other products."""
    for many, times in ((left, right), (right, left)):
        if isinstance(many, str | list | tuple) and isinstance(times, int):
            return len(many) * times
    return 0


@contextmanager
def _clocked(most_s: float) -> Iterator[None]:
    """Raise `_TimeIsUp` after this processor time; a call that never comes back is killed."""
    if not hasattr(signal, "setitimer"):  # the clock of the other process is left
        yield
        return
    _limit("RLIMIT_CPU", ceil(time.process_time() + most_s) + 1)
    signal.setitimer(signal.ITIMER_PROF, most_s, _AGAIN_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _time_is_up(*_: object) -> None:
    raise _TimeIsUp


def _limit(name: str, most: int, *, is_final: bool = False) -> None:
    """Set a limit of this process, where the system has it."""
    try:
        import resource  # noqa: PLC0415 -- not on every system
    except ImportError:
        return
    with suppress(AttributeError, ValueError, OSError):
        kind = getattr(resource, name)
        _, hard = resource.getrlimit(kind)
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (least, least if is_final else hard))


def _used_memory_bytes() -> int:
    try:
        pages = whole(Path("/proc/self/statm").read_text("ascii").split()[0])
    except OSError:
        return 2**29  # what Python takes at most elsewhere
    return pages * os.sysconf("SC_PAGE_SIZE")


def _settle(limits: TemplateLimits) -> None:
    """Give up what no template needs: files, processes, and memory above the limit."""
    tried = {name: TemplateSource(text, name) for name, text in _EACH_KIND.items()}
    for name in (*tried, ""):  # later no module can be imported
        with suppress(Exception):
            environment(tried, limits).get_template(name).render()
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the other process ends this one
        signal.signal(signal.SIGPROF, _time_is_up)
    _limit("RLIMIT_AS", _used_memory_bytes() + limits.memory_bytes, is_final=True)
    for name, most in (("RLIMIT_NOFILE", 3), ("RLIMIT_FSIZE", 0), ("RLIMIT_NPROC", 0)):
        _limit(name, most, is_final=True)
    _limit("RLIMIT_CORE", 0, is_final=True)


def received(stream: IO[bytes]) -> bytes | None:
    """Take the next message of a stream; None at its end."""
    head = stream.read(_LENGTH_BYTES)
    if len(head) < _LENGTH_BYTES:
        return None
    length = int.from_bytes(head, "big")
    body = stream.read(length)
    return body if len(body) == length else None


def send(stream: IO[bytes], body: bytes) -> None:
    """Write a message to a stream."""
    stream.write(len(body).to_bytes(_LENGTH_BYTES, "big") + body)
    stream.flush()


def serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    """Answer requests until the other process ends; its first message are the limits."""
    first = received(requests)
    if first is None:
        return
    limits = msgspec.msgpack.decode(first, type=TemplateLimits)
    sandbox = Sandbox(limits)
    _settle(limits)
    send(answers, b"")
    while (request := received(requests)) is not None:
        # It is of the process that started this one.
        answer = sandbox.answer(pickle.loads(request))  # noqa: S301
        send(answers, msgspec.msgpack.encode(answer))
