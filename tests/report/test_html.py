"""The HTML report: one file that loads and runs nothing of its input, with the figures of JSON."""

import hashlib
import json
import re
from base64 import b64encode
from datetime import date
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest

from advisor.api import predict, read
from advisor.cli import run
from advisor.ground.quantity import number
from advisor.predict.what_if.prediction import ClassPrediction
from advisor.report.document import More, Page, page_text

ROOT = Path(__file__).parents[2]
EDGE = ROOT / "fixtures/configs/wan-edge-512k.ios"
HOSTILE = "</script><img src=x onerror=alert(1)>"
WRED = (
    str(ROOT / "fixtures/configs/seed-002-router.ios"),
    "--traffic",
    str(ROOT / "fixtures/traffic/seed-002.toml"),
)
FLOWS = """version 15.1
hostname r1
class-map match-any GOLD
 match ip dscp af31
policy-map WAN
 class GOLD
  bandwidth 1000
  random-detect dscp-based
  random-detect dscp af31 32 40 10
interface Serial0/1/0
 bandwidth 2048
 encapsulation ppp
 service-policy output WAN
"""
Said = pytest.CaptureFixture[str]


class Reader(HTMLParser):
    """Tags with their attributes, and the texts of scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.raw: dict[str, list[str]] = {"script": [], "style": []}
        self.inside: str | None = None
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.inside = tag if tag in self.raw else self.inside

    def handle_endtag(self, tag: str) -> None:
        self.inside = None if tag in self.raw else self.inside

    def handle_data(self, data: str) -> None:
        if self.inside is not None:
            self.raw[self.inside].append(data)

    @property
    def policy(self) -> str:
        policies = [
            attributes.get("content") or ""
            for tag, attributes in self.tags
            if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
        ]
        return unescape(policies[0])


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def html_of(capsys: Said, *arguments: str) -> str:
    assert run([*arguments, "--format", "html"]) in (0, 1, 3)
    return capsys.readouterr().out


def linted(capsys: Said, *paths: str) -> str:
    return html_of(capsys, "lint", *paths)


def more_of(text: str) -> dict[str, object]:
    found = re.search(r'<script type="application/json" id="more">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    known: dict[str, object] = json.loads(found[1])
    return known


class TestPolicy:
    def test_only_the_style_and_the_script_of_the_page_may_act(self, capsys: Said) -> None:
        reader = Reader(linted(capsys, str(EDGE)))
        (style,), (_, script) = reader.raw["style"], reader.raw["script"]
        for kind, text in (("style-src", style), ("script-src", script)):
            digest = b64encode(hashlib.sha256(text.encode()).digest()).decode()
            assert f"{kind} 'sha256-{digest}'" in reader.policy
        assert reader.policy.startswith("default-src 'none'; ")
        assert "unsafe" not in reader.policy

    def test_nothing_is_asked_for_from_elsewhere(self, capsys: Said) -> None:
        text = linted(capsys, str(EDGE))
        reader = Reader(text)
        for tag, attributes in reader.tags:
            assert tag not in {"link", "img", "iframe", "object", "embed", "base"}
            assert not attributes.keys() & {"src", "srcset", "action", "style", "data"}
            assert not any(name.startswith("on") for name in attributes)
            assert (attributes.get("href") or "#").startswith("#")
        urls = set(re.findall(r"https?://[^\s\"'<]+", text))
        assert urls <= {"http://www.w3.org/2000/svg"}


class TestHostile:
    @pytest.mark.parametrize(
        "name",
        [HOSTILE, "<b>x", "a'b\"c", "{{7*7}}", "javascript:alert(1)", "\u2028x", "x\x1b[31m"],
    )
    def test_a_name_is_text(self, name: str, capsys: Said) -> None:
        config = EDGE.read_text("utf-8").replace("WAN-EDGE", name.replace(" ", "_"))
        Path("r1.cfg").write_text(config, encoding="utf-8")
        plain = Reader(linted(capsys, str(EDGE)))
        reader = Reader(linted(capsys, "r1.cfg"))
        known = {tag for tag, _ in plain.tags}
        assert {tag for tag, _ in reader.tags} <= known | {"ul", "li"}
        assert len(reader.raw["script"]) == len(plain.raw["script"])

    def test_data_of_the_script_cannot_end_it(self) -> None:
        text = page_text(Page("t", "s", (), more=More(devices={"d1": HOSTILE})))
        assert "</script><img" not in text
        assert more_of(text)["devices"] == {"d1": HOSTILE}

    def test_a_secret_is_masked(self, capsys: Said) -> None:
        config = (
            EDGE.read_text("utf-8") + "enable secret s3ntinel\nsnmp-server community s3ntinel\n"
        )
        config = config.replace("hostname br-lisbon", "hostname br-lisbon\n description s3ntinel")
        Path("r1.cfg").write_text(config.replace(" tx-ring", " description key s3ntinel\n tx-ring"))
        assert "s3ntinel" not in linted(capsys, "r1.cfg")


class TestFigures:
    def test_the_rows_are_the_findings_of_json(self, capsys: Said) -> None:
        rows = more_of(linted(capsys, str(EDGE)))["rows"]
        run(["lint", str(EDGE), "--format", "json"])
        findings = json.loads(capsys.readouterr().out)["findings"]
        assert isinstance(rows, list)
        assert [(row["rule"], row["object"]) for row in rows] == [
            (finding["rule"], finding["object"]) for finding in findings
        ]
        assert [row["was"] for row in rows] == [
            voice["before"]["value"]
            if (voice := next(iter((finding["remedy"] or {}).get("shorter", ())), None))
            else finding["prediction"] and finding["prediction"]["before"]["value"]
            for finding in findings
        ]

    @pytest.mark.parametrize(
        "shown",
        [
            "107 ms",
            "packets alone delays VOICE by up to 259 ms",
            "VOICE: delay by tx-ring-limit, lower classes saturated",
            "advised 1",
            "budget of the ring",
            "VOICE now: where its mean delay is",
            "ppp multilink interleave",
            "Coverage",
        ],
    )
    def test_a_report_shows(self, shown: str, capsys: Said) -> None:
        assert shown in unescape(linted(capsys, str(EDGE)))

    def test_wred_is_drawn_with_the_shares_of_its_flows(self, capsys: Said) -> None:
        text = unescape(html_of(capsys, "lint", *WRED))
        assert re.search(r"WRED of class \S+", text)
        assert re.search(r"drops [\d.]+ %, share [\d.]+ %", text)

    def test_two_devices_of_one_name_have_their_own_figures_findings_and_plans(
        self, capsys: Said
    ) -> None:
        for limit in (10, 3):
            text = EDGE.read_text("utf-8").replace("tx-ring-limit 10", f"tx-ring-limit {limit}")
            Path(f"ring-{limit}.cfg").write_text(text, encoding="utf-8")
        text = unescape(linted(capsys, "ring-10.cfg", "ring-3.cfg"))
        articles = re.findall(r"<article.*?</article>", text, re.DOTALL)
        titles = [re.findall(r"<h3[^>]*>([^<]*)<", each)[0] for each in articles]
        assert titles == ["br-lisbon (ring-10.cfg)", "br-lisbon (ring-3.cfg)"]
        for limit, article in zip((10, 3), articles, strict=True):
            assert f"a ring of {limit} packets alone" in article
            assert f"(ring-{limit}.cfg): plan by advisor" in article
            other = 13 - limit
            assert f"ring-{other}.cfg:" not in article

    def test_a_prediction_does_not_say_that_it_found_nothing(self, capsys: Said) -> None:
        text = html_of(capsys, "predict", str(EDGE))
        assert re.findall(r'<p class="dim">([^<]*figures here)', text) == [
            "2 outputs with figures here"
        ]

    def test_a_sweep_names_the_unit_of_its_key_above_the_points(self, capsys: Said) -> None:
        text = html_of(capsys, "predict", str(EDGE), "--sweep", "bandwidth=256..512:256")
        assert re.findall(r'<th scope="col">([^<]*)', text)[:2] == ["bandwidth kb/s", "class"]

    def test_a_finding_of_a_comparison_says_where_it_is(self, capsys: Said) -> None:
        text = EDGE.read_text("utf-8").replace("tx-ring-limit 10", "tx-ring-limit 30")
        Path("new.cfg").write_text(text, encoding="utf-8")
        run(["diff", str(EDGE), "new.cfg", "--format", "json"])
        changes = json.loads(capsys.readouterr().out)["findings"]
        places = [each["finding"]["place"] for each in changes]
        run(["diff", str(EDGE), "new.cfg", "--format", "html"])
        cells = re.findall(r"<td>(new\.cfg:\d+)</td>", capsys.readouterr().out)
        assert sorted(cells) == sorted(places) != []

    def test_the_plan_has_the_header_of_the_site(self, capsys: Said) -> None:
        Path("r1.cfg").write_text(EDGE.read_text("utf-8"), encoding="utf-8")
        folder = Path("mine/templates/snippet")
        folder.mkdir(parents=True)
        (folder / "header.j2").write_text("! change of {{ owner }}\n", encoding="utf-8")
        Path("advisor.toml").write_text(
            'rule-dirs = ["mine"]\n[site]\nowner = "Team WAN"\n', encoding="utf-8"
        )
        assert "! change of Team WAN\n" in unescape(
            linted(capsys, "r1.cfg", "--config", "advisor.toml")
        )

    def test_the_mos_of_a_call_is_that_of_json_of_the_text_and_of_the_api(
        self, capsys: Said
    ) -> None:
        run(["predict", str(EDGE), "--format", "json"])
        voice, *others = json.loads(capsys.readouterr().out)
        said = voice["call"]["mos"]
        low, high = number(said["low"]), number(said["high"])
        page_span = f"about {number(said['value'])} (range {low}–{high})"
        span = f"{number(said['value'])} ({low}–{high})"
        assert f"VOICE: MOS {page_span} of G.729" in html_of(capsys, "predict", str(EDGE))
        run(["predict", str(EDGE)])
        assert span in capsys.readouterr().out.splitlines()[3]
        of_api = predict(read(EDGE))[0]
        assert isinstance(of_api, ClassPrediction)
        assert of_api.call is not None
        assert of_api.call.mos.value == said["value"]
        assert [each.get("call") for each in others] == [None] * len(others)

    def test_a_class_of_stated_flows_has_their_delays_in_the_table(self, capsys: Said) -> None:
        Path("r1.cfg").write_text(FLOWS, encoding="utf-8")
        Path("flows.toml").write_text(
            '[[traffic]]\nclass = "GOLD"\ndscp = "af31"\ntcp_flows = 6\nrtt_ms = 60\n', "utf-8"
        )
        stated = ("r1.cfg", "--traffic", "flows.toml")
        run(["predict", *stated, "--format", "json"])
        classes = json.loads(capsys.readouterr().out)
        of_flows = [each for each in classes if each["outcome"] == "unknown" and each["wred"]]
        text = unescape(html_of(capsys, "predict", *stated))
        assert of_flows
        for each in of_flows:
            assert each["delay"]["reason"].startswith("each of its flows has a delay of its own")
            for group in each["wred"]["shares"]["groups"]:
                delay = number(group["delay"]["value"])
                assert re.search(
                    rf"{re.escape(group['name'])} about {re.escape(delay)} ms \(range", text
                )

    def test_a_clean_report_says_what_was_not_judged(self, capsys: Said) -> None:
        Path("clean.cfg").write_text("version 15.1\nhostname r1\nend\n", encoding="utf-8")
        text = linted(capsys, "clean.cfg")
        assert "No finding." in text
        assert "0 of 0" in text

    def test_an_incomplete_report_says_so_first_and_why_at_its_end(self, capsys: Said) -> None:
        text = linted(capsys, str(ROOT / "fixtures/bundles/head1-incomplete"))
        parts = ("not everything was read", "Findings", "Coverage", "is not complete.")
        places = [text.index(part) for part in parts]
        assert places == sorted(places)

    def test_the_title_says_of_what_how_many_and_when(self, capsys: Said) -> None:
        Path("sites").mkdir()
        for name in ("a", "b"):
            text = EDGE.read_text("utf-8").replace("br-lisbon", name)
            Path(f"sites/{name}.cfg").write_text(text, encoding="utf-8")
        day = date.today().isoformat()  # noqa: DTZ011 -- the day of the user
        assert f"<title>QoS report of sites: 2 devices in 2 files, {day}<" in linted(
            capsys, "sites"
        )
        assert "<title>QoS report of a: 1 device in 1 file, " in linted(capsys, "sites/a.cfg")

    def test_the_top_says_what_is_wrong_what_users_feel_what_it_takes_and_how_sure_it_is(
        self, capsys: Said
    ) -> None:
        Path("r1.cfg").write_text(EDGE.read_text("utf-8"), encoding="utf-8")
        Path("r2.cfg").write_text("version 15.1\nhostname r2\nend\n", encoding="utf-8")
        lines = re.findall(r"<dt>([^<]*)</dt><dd>([^<]*)</dd>", linted(capsys, "."))
        told = {name: unescape(line) for name, line in lines}
        assert re.match(r"2 devices read: 1 with \w+.*, 1 clean\.", told["Devices"])
        assert ". First: br-lisbon, " in told["What is wrong"]
        assert re.search(
            r"priority class VOICE waits .* ms with the remedy, budget 20 ms", told["What is wrong"]
        )
        assert told["If nothing is done"] == (
            "Words of calls are late, or missing, while the line is full (TXR001); words of calls "
            "are late while large packets are sent (LFI001)."
        )
        assert told["What it takes"] == (
            "2 pastes of minutes for all 3 findings; all in a maintenance window; at both ends "
            "of a link, which is down meanwhile: LFI001."
        )
        assert re.fullmatch(
            r"TXR001 is likely, not proven: no line speaks against it; its figure is \S+ ms: not all "
            r"that it rests on is stated\.",
            told["What is not certain"],
        )

    def test_the_first_steps_are_those_of_the_terminal(self, capsys: Said) -> None:
        hub = str(ROOT / "fixtures/configs/planted/3845-hqf-aggregation.ios")
        page = re.findall(r"<ol><li>(.*)</li></ol>", linted(capsys, hub))[0]
        steps = unescape(page).split("</li><li>")
        run(["lint", hub])
        said = " ".join(capsys.readouterr().out.split())
        assert len(steps) == 3
        for number_of, step in enumerate(steps, 1):
            assert f"{number_of}. {step}" in said

    def test_a_finding_has_the_words_of_the_terminal(self, capsys: Said) -> None:
        text = unescape(linted(capsys, str(EDGE)))
        run(["lint", str(EDGE)])
        said = capsys.readouterr().out.splitlines()
        pasted = [line.strip() for line in said if re.search(r"to paste \(|paste \(", line)]
        assert pasted
        assert all(line in text for line in pasted)

    def test_now_and_then_differ_without_colours(self, capsys: Said) -> None:
        text = linted(capsys, str(EDGE))
        now, then = re.findall(
            r"<dl class=\"pair\">.*?<svg(.*?)</svg>.*?<svg(.*?)</svg>", text, re.DOTALL
        )[0]
        assert "stroke=" not in now
        assert 'fill-opacity="0.3" stroke=' in then
        assert set(re.findall(r'fill="(#\w+)"', now)) != set(re.findall(r'fill="(#\w+)"', then))


def test_devices_beyond_the_first_ones_wait_and_their_findings_lead_to_them(capsys: Said) -> None:
    for each in range(33):
        text = EDGE.read_text("utf-8").replace("br-lisbon", f"br-{each:02}")
        Path(f"r{each:02}.cfg").write_text(text, encoding="utf-8")
    text = linted(capsys, ".", "--select", "TXR001")
    more = more_of(text)
    devices, owners = more["devices"], more["owners"]
    assert isinstance(devices, dict)
    assert isinstance(owners, dict)
    assert len(devices) == 3
    assert set(owners.values()) == set(devices)
    assert text.count('class="device lazy"') == 3
    assert all(f'id="{anchor}"' in devices[owner] for anchor, owner in owners.items())


class TestOtherCommands:
    def test_predict_shows_every_class_and_the_ring_over_its_lengths(self, capsys: Said) -> None:
        text = unescape(html_of(capsys, "predict", str(EDGE)))
        assert "Prediction of br-lisbon" in text
        assert "107 (31–249) ms" in text
        assert "VOICE: delay by tx-ring-limit" in text
        assert "unknown: state its traffic" in text

    def test_a_sweep_is_a_plot_and_a_table(self, capsys: Said) -> None:
        text = html_of(capsys, "predict", str(EDGE), "--sweep", "tx-ring-limit=1..4")
        assert "Sweep of tx-ring-limit" in text
        assert text.count("<figure>") == 1
        assert text.count("<tr><td>") == 4

    def test_a_path_shows_its_calls(self, capsys: Said) -> None:
        Path("path.toml").write_text(
            f'codec = ["g729"]\n[[hop]]\nname = "up"\nconfig = "{EDGE}"\n'
            'interface = "Serial0/0/0"\n[[hop]]\nname = "core"\ndelay_ms = 10\n',
            encoding="utf-8",
        )
        text = html_of(capsys, "predict", "--hops", "path.toml")
        assert "MOS" in text
        assert "G.729" in text

    @pytest.mark.parametrize(
        "arguments",
        [
            ["predict", str(EDGE), "--simulate"],
            ["predict", *WRED, "--sweep", "wred-min=10..20"],
        ],
    )
    def test_what_has_no_page_is_wrong_use(self, arguments: list[str], capsys: Said) -> None:
        assert run([*arguments, "--format", "html"]) == 2
        assert "html" in capsys.readouterr().err

    def test_a_comparison_shows_what_got_worse_first(self, capsys: Said) -> None:
        deeper = EDGE.read_text("utf-8").replace("tx-ring-limit 10", "tx-ring-limit 30")
        Path("new.ios").write_text(deeper, encoding="utf-8")
        text = unescape(html_of(capsys, "diff", str(EDGE), "new.ios"))
        assert "This change makes things worse" in text
        assert re.search(r"adds [\d.]+ ms to VOICE on Serial0/0/0", text)
        assert text.index("Worse: predictions") < text.index("Worse: findings")

    def test_names_of_a_prediction_are_text(self, capsys: Said) -> None:
        config = EDGE.read_text("utf-8").replace("VOICE", "<b>V</b>").replace("WAN-EDGE", HOSTILE)
        Path("r1.cfg").write_text(config.replace("<img src=x ", "<img"), encoding="utf-8")
        for arguments in (["predict", "r1.cfg"], ["diff", str(EDGE), "r1.cfg"]):
            tags = {tag for tag, _ in Reader(html_of(capsys, *arguments)).tags}
            assert not tags & {"b", "img"}

    def test_the_cpu_of_dlsw_is_drawn_against_frames_with_the_design_limit(
        self, capsys: Said
    ) -> None:
        load = "--tps 100 --out-bytes 2000 --in-bytes 1000 --ru 1024 --redundant"
        sized = ["size", "dlsw", "--platform", "3640", *load.split()]
        text = unescape(html_of(capsys, *sized))
        for shown in ("limit 50 %", "after failover: 600 frames/s, 30 %", "frames per second"):
            assert shown in text

    def test_a_head_end_shows_its_cpu_in_lint_too(self, capsys: Said) -> None:
        dlsw = (
            "version 12.4\nhostname H1\ndlsw local-peer peer-id 10.0.0.1\n"
            "dlsw remote-peer 0 tcp 10.0.1.1\nend\n"
        )
        traffic = (
            "[[traffic]]\npeak_tps = 100\nout_bytes = 2000\nin_bytes = 1000\nru_bytes = 1024\n"
        )
        Path("h1.cfg").write_text(dlsw, encoding="utf-8")
        Path("t.toml").write_text(traffic, encoding="utf-8")
        arguments = ("h1.cfg", "--traffic", "t.toml", "--platform", "3640")
        text = html_of(capsys, "lint", *arguments)
        assert "CPU of DLSw+" in text
        assert "limit 50 %" in text
