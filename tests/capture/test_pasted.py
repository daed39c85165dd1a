"""A log says the same however it was pasted; what cannot be told apart is never complete."""

import html
import json
from collections.abc import Callable
from functools import cache
from quopri import encodestring

import pytest

from advisor import api
from advisor.capture.cuts import read_capture
from advisor.capture.pasted import plain_text
from advisor.shows.redact import redact_text
from tests.support.branch_log import CONFIG, CPU, INTERFACE, LOG, POLICY, log_with

LINES = LOG.split("\n")


def each(pattern: str) -> str:
    """The log with a pattern on each line: `#` is its number, `%` what it says."""
    return "\n".join(
        pattern.replace("#", f"{number:3}").replace("%", line)
        for number, line in enumerate(LINES, 1)
    )


def verdict(text: str, shift: int = 0) -> tuple[bool, set[tuple[str, str, int]]]:
    report = api.lint(api.of_texts({"x.log": text}))
    return report.complete, {
        (finding.rule, str(finding.severity), finding.locations[0].line - shift)
        for finding in report.findings
    }


def page(pattern: str) -> str:
    """The log with a pattern on each line of a page."""
    escaped = (html.escape(line).replace("  ", " &nbsp;") for line in LINES)
    rows = (
        pattern.replace("#", str(row)).replace("%", line) for row, line in enumerate(escaped, 1)
    )
    return "\n".join(rows)


def box(signs: str, text: str) -> str:
    corner, dash, bar, end = tuple(signs)
    rule = corner + dash * 100 + end
    return "\n".join([rule, *(f"{bar} {line:<98} {bar}" for line in text.split("\n")), rule, ""])


def quoted_printable(text: str) -> str:
    head = "MIME-Version: 1.0\nContent-Transfer-Encoding: Quoted-Printable\nSubject: log\n\n"
    return head + encodestring(text.encode()).decode()


@cache
def plain() -> tuple[bool, set[tuple[str, str, int]]]:
    return verdict(LOG)


def test_the_log_itself_shows_dropped_calls() -> None:
    complete, findings = plain()

    assert complete
    assert {rule for rule, _, _ in findings} >= {"LLQ007", "TXR001", "LFI001"}


@pytest.mark.parametrize(
    ("text", "shift"),
    [
        pytest.param(each("  %"), 0, id="two blanks"),
        pytest.param(LOG.replace("y-m", "y\u2011m"), 0, id="hyphens of a mail program"),
        pytest.param(each("    %"), 0, id="four blanks"),
        pytest.param(each("        %"), 0, id="eight blanks"),
        pytest.param(each("\t%"), 0, id="a tab"),
        pytest.param(
            "\n".join(("\t" if row % 2 else " " * 8) + line for row, line in enumerate(LINES)), 0,
            id="tabs and blanks by turns",
        ),
        pytest.param(each("    %").replace("\n", "\r\n"), 0, id="a margin and CRLF"),
        pytest.param(each("> %"), 0, id="a quote"),
        pytest.param(each(">> %"), 0, id="a quote of a quote"),
        pytest.param(each("> > %"), 0, id="a quote of a quote with blanks"),
        pytest.param(each(">%"), 0, id="a quote without blanks"),
        pytest.param(each("| %"), 0, id="a bar"),
        pytest.param(each("| % |"), 0, id="a table"),
        pytest.param(each("|%|"), 0, id="a table without blanks"),
        pytest.param(each(">     %"), 0, id="a quoted margin"),
        pytest.param(each("#: %"), 0, id="line numbers with a colon"),
        pytest.param(each("#  %"), 0, id="line numbers with blanks"),
        pytest.param(each("   #\t%"), 0, id="line numbers of cat -n"),
        pytest.param(each("# | %"), 0, id="line numbers with a bar"),
        pytest.param(f"```\n{LOG}```\n", 1, id="a fence"),
        pytest.param(f"~~~text\n{LOG}~~~\n", 1, id="a named fence"),
        pytest.param(f"{{noformat}}\n{LOG}{{noformat}}\n", 1, id="a tracker"),
        pytest.param(f"[code]\n{LOG}[/code]\n", 1, id="a forum"),
        pytest.param(f"<pre>\n{html.escape(LOG)}</pre>\n", 1, id="preformatted text of a page"),
        pytest.param(f"<p>The log:</p>\n<pre>{html.escape(LOG)}</pre>\n", 1, id="a page"),
        pytest.param("Dear all,\n\nsee below.\n\n" + each("    %"), 4, id="a margin below prose"),
        pytest.param("On Monday Bob wrote:\n\n" + each("> %"), 2, id="a quote below prose"),
        pytest.param(each("%<br>"), 0, id="line breaks of a page"),
        pytest.param(f"```\n{LOG}```\n\nAny idea?\n Thanks\n", 1, id="prose behind a fence"),
        pytest.param(f"<pre>\n{html.escape(LOG)}</pre>\n<p>bye</p>\n", 1, id="prose behind a page"),
        pytest.param(each("# : %"), 0, id="line numbers of IOS"),
        pytest.param(each("[#] %"), 0, id="line numbers in brackets"),
        pytest.param(each("(#) %"), 0, id="line numbers in parentheses"),
        pytest.param(each("L#: %"), 0, id="line numbers behind a letter"),
        pytest.param(each("kiel-1.log:#:%"), 0, id="hits of a search"),
        pytest.param(each("+%"), 0, id="a patch of a new file"),
        pytest.param(each("* %"), 0, id="a list"),
        pytest.param(each("// %"), 0, id="comments of a program"),
        pytest.param(each("kiel-1: %"), 0, id="the name of a host"),
        pytest.param(each("Mar  3 10:11:12 host logger: %"), 0, id="a system log"),
        pytest.param(each("console_1  | %"), 0, id="a column of a container"),
        pytest.param(each("console_1  | %").replace(" \n", "\n"), 0, id="a column, blanks cut off"),
        pytest.param("| Output |\n|---|\n" + each("| % |"), 2, id="a table with a head"),
        pytest.param(box("+-|+", each("%")), 1, id="a table in a box"),
        pytest.param(box("\u250c\u2500\u2502\u2510", each("%")), 1, id="a table in a drawn box"),
        *(
            pytest.param(f"{opens}\n{LOG}{closes}\n\nThanks,\nJo\n", 1, id=f"between {opens}")
            for opens, closes in (
                ("````", "````"), ("[CODE]", "[/CODE]"), ("[quote]", "[/quote]"), ("<code>", "</code>"),
                ("{panel:title=log}", "{panel}"), ("[spoiler]", "[/spoiler]"), ("--8<--", "--8<--"),
                ("#+BEGIN_EXAMPLE", "#+END_EXAMPLE"), ("<textarea>", "</textarea>"),
            )
        ),
        pytest.param(page("<p class=x>%</p>"), 0, id="a paragraph a line"),
        pytest.param(page("<div>%</div>"), 0, id="a block a line"),
        pytest.param(page("<li>%</li>"), 0, id="an item a line"),
        pytest.param(page("<tr><td>%</td></tr>"), 0, id="a row a line"),
        pytest.param(page("<tr><td>#</td><td>%</td></tr>"), 0, id="a row a line, with numbers"),
        pytest.param(page("<p class=MsoPlainText>%<o:p></o:p></p>"), 0, id="a word processor"),
        pytest.param(f"<pre>\n{page('<font color=red>%</font>')}</pre>\n", 1, id="colours"),
        pytest.param(
            "Hi,\n\nthe log:\n\n" + each("    %") + "\n\nThanks,\nJo\n", 4, id="a margin amid prose",
        ),
        pytest.param(
            "Jo wrote:\n" + each("> %") + "\n\nI see. The ring\nis too deep.\n", 1, id="a quote amid prose",
        ),
        pytest.param(json.dumps(LINES, indent=1), 1, id="a list of texts"),
        pytest.param(each('"%",').replace('"show i', '""show i').replace('e" c', 'e"" c'), 0, id="cells"),
        pytest.param(LOG.replace("kiel-1#", "\fkiel-1#"), 0, id="a page of a printer for each output"),
        pytest.param(quoted_printable(LOG), 4, id="a mail that escapes signs"),
        pytest.param(LOG.replace(" ", "\u00a0"), 0, id="blanks that do not break"),
        pytest.param(LOG.replace("  ", "\u2003"), 0, id="blanks as wide as an M"),
        pytest.param(LOG.replace(" ", "\u2009"), 0, id="thin blanks"),
        pytest.param(LOG.replace("/", "/\u200b"), 0, id="places where a page may break a line"),
    ],
)  # fmt: skip
def test_pasted_log_says_the_same_of_the_same_lines(text: str, shift: int) -> None:
    assert verdict(text, shift) == plain()


NOTED = {
    "  priority 96": "  priority 96{}",
    " tx-ring-limit 12": " tx-ring-limit 12{}",
    "interface Serial0/1/0": "interface Serial0/1/0{}",
    " service-policy output UPLINK": " service-policy output UPLINK{}",
}


@pytest.mark.parametrize("quoted", ["%", "> %", "    %", "#: %"])
@pytest.mark.parametrize(
    "note",
    [
        "  <-- too small?",
        " <-",
        " <== here",
        "\t// carrier",
        " ! who did this",
        " ### old",
        " # old",
    ],
)
def test_note_behind_a_command_is_taken_off(note: str, quoted: str) -> None:
    noted = LOG
    for command, template in NOTED.items():
        noted = noted.replace(f"\n{command}\n", f"\n{template.format(note)}\n")
    text = "\n".join(
        quoted.replace("#", str(number)).replace("%", line)
        for number, line in enumerate(noted.split("\n"), 1)
    )

    assert verdict(text) == plain()
    assert verdict(redact_text(text, "x.log")) == plain()


@pytest.mark.parametrize(
    ("line", "noted"),
    [
        ("        (total drops/bytes drops) 1542/98688", "{}   <=== look here!!"),
        ("  priority 96", "  **priority 96**"),
        (" tx-ring-limit 12", " **tx-ring-limit 12**  // carrier"),
    ],
)
def test_mark_on_a_line_is_taken_off(line: str, noted: str) -> None:
    text = LOG.replace(f"\n{line}\n", f"\n{noted.format(line)}\n")

    assert text != LOG
    assert verdict(text) == plain()


@pytest.mark.parametrize(
    "line",
    [
        " description to HQ <-- main // old ! cut",
        " ppp chap password 0 a // b",
        ' match protocol http url "a // b"',
        " tx-ring-limit 12 ! advisor: ignore[TXR001] until the move",
        "Interface Tunnel10 <--> 203.0.113.9",
        "[10:00:00] <--- More --->\r              \r tx-ring-limit 3",
        "  81           0          2          0  0.00%  0.00%  0.00%   0 hrpc <- response",
        "username bob password 0 a ! b",
        "ip host a 192.0.2.1 // b",
    ],
)
def test_what_only_looks_like_a_note_stays(line: str) -> None:
    text = f"hostname r1\ninterface Serial0\n{line}\n"
    assert plain_text(text) == text


def test_configuration_behind_a_fence_is_read() -> None:
    text = f"```\n{POLICY}```\nand the configuration:\n{CONFIG}"
    assert {rule for rule, _, _ in verdict(text)[1]} >= {"TXR001"}


HEADINGS = (
    *("------------------ %s ------------------", "=== %s ===", "### %s ###", "*** %s ***"),
    *("!!! %s", "!Command: %s", "! %s", "_____ %s _____", "~~~ %s ~~~", "==> %s <==", "--- %s"),
    *("## %s", "# %s", "$ %s", "[%s]", "<<< %s >>>", '"%s"', "`%s`", "**%s**", "- %s", "2. %s"),
    *("Command: %s", "### Command: %s", "Output of %s:", "TASK [%s] *****", "%s", "%s:"),
    *("\n%s\n------------", "###########\n# %s\n###########", "kiel-1> %s"),
)


@pytest.mark.parametrize("gap", ["", "\n\n"], ids=["close", "with empty lines"])
@pytest.mark.parametrize("heading", HEADINGS)
def test_heading_opens_an_output_as_a_prompt_does(heading: str, gap: str) -> None:
    complete, findings = verdict(log_with(heading, gap))

    assert complete
    assert {(rule, severity) for rule, severity, _ in findings} == {
        (rule, severity) for rule, severity, _ in plain()[1]
    }


def test_outputs_behind_no_prompt_at_all_are_told_apart() -> None:
    complete, findings = verdict(POLICY + INTERFACE + CPU + CONFIG)

    assert complete
    assert {rule for rule, _, _ in findings} >= {"LLQ007", "TXR001", "LFI001"}


def flat(text: str) -> str:
    return "".join(f"{line.strip()}\n" for line in text.splitlines())


def double_spaced(text: str) -> str:
    return "".join(f"{line}\n\n" for line in text.splitlines() if line.strip())


SENTENCES = ("The counters look wrong to me:", "And this is what\nI see there now.")


@pytest.mark.parametrize("layout", [str, flat, double_spaced, lambda text: double_spaced(flat(text))],
                         ids=["indented", "flat", "double spaced", "flat and double spaced"])  # fmt: skip
@pytest.mark.parametrize("sentence", SENTENCES)
def test_sentences_between_outputs_without_prompts_are_of_none(
    layout: Callable[[str], str], sentence: str
) -> None:
    outputs = (layout(output) for output in (CONFIG, POLICY, INTERFACE, CPU))
    complete, findings = verdict(f"\n{sentence}\n\n".join(outputs))

    assert complete
    assert {(rule, severity) for rule, severity, _ in findings} == {
        (rule, severity) for rule, severity, _ in plain()[1]
    }


@pytest.mark.parametrize(
    "below",
    [
        "# Log ended 10:11:12\n",
        "\nScript done on Tue Mar  4 09:12:12 2014\n",
        "\n-- \nJo\nNetwork\n",
        "</body></html>\n",
        "kiel-1#\nThe calls are bad,\n and I do not know why\nkiel-1#\n",
    ],
)
def test_text_below_a_bare_prompt_is_of_no_output(below: str) -> None:
    assert verdict(f"{LOG}kiel-1#\n{below}") == plain()


def test_outputs_of_show_tech_that_are_not_read_end_those_ahead_of_them() -> None:
    heading = "\n\n------------------ %s ------------------\n\n"
    others = heading.replace("%s", "show stacks") + " Free/Size   Name\n 5600/6000   Init\n"
    others += heading.replace("%s", "show platform hardware qfp active feature qos") + "none\n"
    text = log_with(heading).replace(POLICY, POLICY + others)
    complete, findings = verdict(f"kiel-1#show tech-support\n{text}kiel-1#\n")

    assert complete
    assert {rule for rule, _, _ in findings} == {rule for rule, _, _ in plain()[1]}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(each("! %"), id="comments"),
        pytest.param(each("-%"), id="what a patch takes away"),
        pytest.param(json.dumps({"stdout": LOG}), id="one string of JSON"),
    ],
)
def test_layout_that_is_not_told_apart_is_not_complete(text: str) -> None:
    complete, _ = verdict(text)
    assert not complete


@pytest.mark.parametrize(
    "line",
    [
        "show interfaces is what I looked at first",
        "! show me the way",
        "*** show policy-map interface looks wrong",
        " show version",
    ],
)
def test_sentence_about_a_command_is_no_heading(line: str) -> None:
    text = CONFIG.replace("!\ninterface Loopback0", f"{line}\ninterface Loopback0")

    assert len(read_capture(text, "x.cfg").sections) == 1


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            f"{CPU}\nRP/0/0:kiel-1 show policy-map interface\n", id="a prompt nobody knows"
        ),
        pytest.param(
            "kiel-1#show clock\n10:11:12.123 UTC Fri Mar 1 2024\nkiel-1#show frame-relay pvc 100\n"
            "DLCI = 100, DLCI USAGE = LOCAL, PVC STATUS = ACTIVE, INTERFACE = Serial0/0\n"
            "  service policy UPLINK\n  Service-policy output: UPLINK\n",
            id="counters of a circuit in an output that is not read",
        ),
        pytest.param(
            "kiel-1#show clock\n10:11:12.123 UTC Fri Mar 1 2024\nkiel-1#show traffic-shape\n"
            "Interface   Se0/0\n       Access Target    Byte   Sustain   Excess    Interval\n"
            "VC     List   Rate      Limit  bits/int  bits/int  (ms)\n101           56000     875\n",
            id="a shaper in an output that is not read",
        ),
        pytest.param(
            f"{CPU}kiel-1#telnet 192.0.2.7\ninterface Serial0/0\n tx-ring-limit 3\n",
            id="lines of a configuration behind a command that prints none",
        ),
    ],
)
def test_text_with_counters_or_configuration_is_never_complete_unread(text: str) -> None:
    complete, _ = verdict(text)
    assert not complete


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(CONFIG, id="a configuration"),
        pytest.param("Interface\n  r1\n  r2\n", id="an indented list"),
        pytest.param("access-list 1\n 10 permit any\n 20 deny any\n", id="numbered entries"),
        pytest.param("a\n> b\nc\n", id="one quoted line"),
        pytest.param(
            "interface Serial0\n description  interface Serial1\n mtu 1500\n", id="a text"
        ),
    ],
)
def test_what_is_no_paste_stays_as_it_is(text: str) -> None:
    assert plain_text(text) == text


@pytest.mark.parametrize("pattern", ["    %", "> %", "\t%", "#: %"])
def test_redacted_paste_keeps_its_marks_and_no_secret(pattern: str) -> None:
    sentinel = "S3ntinelQ7"
    text = each(pattern).replace("hostname kiel-1", f"enable secret 0 {sentinel}")

    clean = redact_text(text, "x.log").split("\n")
    assert sentinel not in "".join(clean)
    assert [line[:2] for line in clean] == [line[:2] for line in text.split("\n")]


def test_finding_in_a_paste_names_no_column_of_the_file() -> None:
    report = api.lint(api.of_texts({"x.log": each("    %")}))
    assert all(at.column is None for finding in report.findings for at in finding.locations)


def test_deep_quote_is_read_in_bounded_steps() -> None:
    text = f"{'>' * 10_000} hostname r1\n" * 3
    assert redact_text(text, "x").count("\n") == text.count("\n")


@pytest.mark.parametrize(
    "mark",
    [
        pytest.param("> > ", id="a quote of a quote"),
        pytest.param(">> ", id="without a blank between the marks"),
        pytest.param("> > > ", id="the third mail"),
    ],
)
def test_forwarded_mail_is_read_between_greetings(mark: str) -> None:
    quoted = "".join(f"{mark}{line}\n" for line in LINES)

    plain = plain_text(f"Hello,\n\nplease look at this.\n\n{quoted}\nThanks\n")

    assert [line for line in plain.split("\n") if line] == [line for line in LINES if line]
