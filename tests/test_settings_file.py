"""Settings files: what they may say, and what an error about them says."""

import os
from pathlib import Path

import pytest

from advisor.device.reading import Source
from advisor.ground import bounded
from advisor.lint.run import review
from advisor.report.settings_text import render
from advisor.settings import (
    PROFILES,
    DlswDesign,
    Flags,
    PacketShare,
    ReturnPath,
    Settings,
    SettingsError,
    Traffic,
    Transactions,
)
from advisor.settings.document import document_of
from advisor.settings.file import load_settings, read_traffic


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(name: str, text: str) -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


TRAFFIC = "[[traffic]]\nclass = 'VOICE'\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "\n[budgets]\nring_wait = 3\n",
            "advisor.toml:3: [budgets] unknown key ring_wait; did you mean ring_wait_ms?",
            id="a misspelt budget names the nearest",
        ),
        pytest.param(
            "[budgets]\nring_wait_ms = 'x'\n",
            "advisor.toml:2: [budgets] ring_wait_ms: expected a number, got text",
            id="a text where a number belongs",
        ),
        pytest.param(
            "[budgets]\nring_wait_ms = 0\n",
            "advisor.toml:2: [budgets] ring_wait_ms: expected a number > 0",
            id="a budget of nothing",
        ),
        pytest.param(
            "[budgets]\ncpu_percent = 101\n",
            "advisor.toml:2: [budgets] cpu_percent: expected a number <= 100",
            id="a percent over 100",
        ),
        pytest.param(
            "budgets.jitter_ms = true\n",
            "advisor.toml:1: [budgets] jitter_ms: expected a number, got true or false",
            id="a dotted key is found",
        ),
        pytest.param(
            "budget = 1\n",
            "advisor.toml:1: unknown key budget; did you mean budgets?",
            id="a misspelt table",
        ),
        pytest.param(
            "# a comment\nfail_on = 'error'\n",
            "advisor.toml:2: unknown key fail_on; did you mean fail-on?",
            id="an underscore for a hyphen",
        ),
        pytest.param(
            "profile = 'voce'\n",
            "advisor.toml:1: profile: unknown 'voce'; did you mean voice?",
            id="a misspelt profile",
        ),
        pytest.param(
            "fail-on = 'critical'\n",
            "advisor.toml:1: fail-on: unknown 'critical'; it takes error, info, never, warning",
            id="a severity that is not ours",
        ),
        pytest.param(
            "select = 'TXR'\n",
            "advisor.toml:1: select: expected an array, got text",
            id="select is an array",
        ),
        pytest.param(
            "profile = 'voice'\nselect = [\n",
            "advisor.toml:2: not TOML: Invalid value (at end of document)",
            id="an array that never ends",
        ),
        pytest.param("x == 1\n", "advisor.toml:1: not TOML: Invalid value", id="not TOML"),
        pytest.param(
            f"{TRAFFIC}rate_kbs = 3\n",
            "advisor.toml:3: [[traffic]] unknown key rate_kbs; did you mean rate_kbps?",
            id="a misspelt key of a traffic table",
        ),
        pytest.param(
            f"{TRAFFIC}streams = 1\n\n[[traffic]]\npacket_bytes = 60\n",
            "advisor.toml:5: [[traffic]] class is missing",
            id="the second table lacks its class",
        ),
        pytest.param(
            f"{TRAFFIC}packet_bytes = 70000\n",
            "advisor.toml:3: [[traffic]] packet_bytes: expected a whole number <= 65535",
            id="a packet longer than IP allows",
        ),
        pytest.param(
            f"{TRAFFIC}packet_bytes = 19\n",
            "advisor.toml:3: [[traffic]] packet_bytes: expected a whole number >= 20",
            id="a packet shorter than the header of IP",
        ),
        pytest.param(
            f"{TRAFFIC}packet_bytes = [\n {{bytes = 60, share = 0.5}},\n {{byte = 1, share = 1}},\n]\n",
            "advisor.toml:5: [[traffic.packet_bytes]] unknown key byte; did you mean bytes?",
            id="a misspelt key inside a mix",
        ),
        pytest.param(
            f"{TRAFFIC}packet_bytes = [{{bytes = 60, share = 0.5}}]\n",
            "advisor.toml:3: [[traffic]] packet_bytes: the shares sum to 0.5; they must sum to 1",
            id="shares that are not the whole",
        ),
        pytest.param(
            f"{TRAFFIC}rate_kbps = 64\npacket_bytes = 60\npackets_per_second = 50\n",
            "advisor.toml:5: [[traffic]] give rate_kbps or packets_per_second, not both",
            id="two rates",
        ),
        pytest.param(
            f"{TRAFFIC}rate_kbps = 64\n",
            "advisor.toml:3: [[traffic]] rate_kbps needs packet_bytes",
            id="a rate without a size",
        ),
        pytest.param(
            f"{TRAFFIC}packets_per_second = 150\n",
            "advisor.toml:3: [[traffic]] packets_per_second needs packet_bytes",
            id="packets without a size",
        ),
        pytest.param(
            f"{TRAFFIC}rate_kbps = nan\n",
            "advisor.toml:3: [[traffic]] rate_kbps: expected a number >= 0",
            id="not a number",
        ),
        pytest.param(
            f"{TRAFFIC}calls = 3\n",
            "advisor.toml:3: [[traffic]] calls needs codec",
            id="calls without a codec",
        ),
        pytest.param(
            f"{TRAFFIC}codec = 'G.729'\n",
            "advisor.toml:3: [[traffic]] codec goes with calls, which is missing",
            id="a codec without calls",
        ),
        pytest.param(
            f"{TRAFFIC}calls = 3\ncodec = 'G.279'\n",
            "advisor.toml:4: [[traffic]] codec: unknown 'G.279'; did you mean G.729?",
            id="a misspelt codec",
        ),
        pytest.param(
            f"{TRAFFIC}calls = 3\ncodec = 'G.726'\n",
            "advisor.toml:4: [[traffic]] codec: G.726 has several bit rates: "
            "write g726r32 or g726r24 or g726r16",
            id="a codec without its bit rate",
        ),
        pytest.param(
            f"{TRAFFIC}calls = 3\ncodec = 'G.728'\npacket_ms = 20\n",
            "advisor.toml:5: [[traffic]] packet_ms: G.728 is known with 30 ms, not 20",
            id="a packetization that the codec does not have",
        ),
        pytest.param(
            f"{TRAFFIC}calls = 3\ncodec = 'G.729'\nstreams = 2\n",
            "advisor.toml:5: [[traffic]] calls and codec already determine streams: drop one",
            id="calls and streams",
        ),
        pytest.param(
            f"{TRAFFIC}arrivals = 'saturated'\npackets_per_second = 3\n",
            'advisor.toml:4: [[traffic]] arrivals = "saturated" means always packets waiting: '
            "drop packets_per_second",
            id="saturated with a rate",
        ),
        pytest.param(
            f"{TRAFFIC}arrivals = 'poison'\n",
            "advisor.toml:3: [[traffic]] arrivals: unknown 'poison'; did you mean poisson?",
            id="misspelt arrivals",
        ),
        pytest.param(
            TRAFFIC,
            "advisor.toml:1: [[traffic]] says nothing about class VOICE: give packet_bytes, "
            "rate_kbps, packets_per_second, calls with codec, tcp_flows, or arrivals = "
            '"saturated"',
            id="a table that says nothing",
        ),
        pytest.param(
            f"{TRAFFIC}ip_sla = false\n",
            "advisor.toml:1: [[traffic]] says nothing about class VOICE: give packet_bytes, "
            "rate_kbps, packets_per_second, calls with codec, tcp_flows, or arrivals = "
            '"saturated"',
            id="a table that says only that it is not of operations",
        ),
        pytest.param(
            '[budgets]\n[[traffic]]\nclass = """\n[budgets]\nring = 1"""\nstreems = 1\n',
            "advisor.toml:6: [[traffic]] unknown key streems; did you mean streams?",
            id="a long string is not read as tables",
        ),
    ],
)
def test_error_names_file_line_table_and_key(folder: Path, text: str, expected: str) -> None:
    write("advisor.toml", text)
    with pytest.raises(SettingsError) as caught:
        load_settings(folder)
    assert str(caught.value) == expected


APPROXIMATELY_33 = pytest.approx(33.333, rel=1e-4)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "calls = 3\ncodec = 'g729r8'", ([(60, 1)], 150, 3, "periodic"), id="3 calls of G.729"
        ),
        pytest.param(
            "calls = 1\ncodec = 'G711'\npacket_ms = 30",
            ([(280, 1)], APPROXIMATELY_33, 1, "periodic"),
            id="a G.711 call at 30 ms",
        ),
        pytest.param(
            "calls = 1\ncodec = 'g723r53'",
            ([(60, 1)], APPROXIMATELY_33, 1, "periodic"),
            id="G.723.1 has 30 ms alone, which then is the default",
        ),
        pytest.param(
            "calls = 0\ncodec = 'G.729'", ([(60, 1)], 0, 1, "periodic"), id="no calls carry nothing"
        ),
        pytest.param(
            "calls = 2\ncodec = 'iLBC'\narrivals = 'poisson'",
            ([(78, 1)], 100, 2, "poisson"),
            id="arrivals of calls may be stated",
        ),
        pytest.param(
            "rate_kbps = 24\npacket_bytes = 60", ([(60, 1)], 50, 1, "poisson"), id="an IP rate"
        ),
        pytest.param("rate_kbps = 0", ([], 0, 1, "poisson"), id="a rate of 0 carries nothing"),
        pytest.param(
            "packets_per_second = 0", ([], 0, 1, "poisson"), id="0 packets a second carry nothing"
        ),
        pytest.param("packet_bytes = 900", ([(900, 1)], None, 1, "poisson"), id="a size alone"),
        pytest.param(
            "packet_bytes = 60\npackets_per_second = 10\nstreams = 4",
            ([(60, 1)], 10, 4, "poisson"),
            id="streams of a rate",
        ),
        pytest.param(
            "rate_kbps = 80\npacket_bytes = [{bytes = 100, share = 0.5}, {bytes = 300, share = 0.5}]",
            ([(100, 0.5), (300, 0.5)], 50, 1, "poisson"),
            id="the rate of a mix goes by its mean size",
        ),
        pytest.param("arrivals = 'saturated'", ([], None, 1, "saturated"), id="saturated"),
    ],
)
def test_traffic_table_states(
    text: str, expected: tuple[list[tuple[int, float]], float | None, int, str]
) -> None:
    (said,) = read_traffic(write("t.toml", "[[traffic]]\nclass = 'V'\n" + text)).stated.traffic
    sizes, packets_per_second, streams, arrivals = expected
    mix = tuple(PacketShare(*size) for size in sizes)
    known = ("*", "*", "V", mix, packets_per_second, streams, arrivals, "t.toml:1")
    assert said == Traffic(*known, of_calls="calls" in text)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        pytest.param("link", "No such file or directory", id="a link to nothing"),
        pytest.param("folder", "Is a directory", id="a folder"),
        pytest.param("pipe", "is a pipe or a device; name it with --config FILE", id="a pipe"),
    ],
)
def test_settings_that_cannot_be_read_are_not_passed_over(
    kind: str, reason: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded, "_WAIT_S", 0.1)
    file = folder / "advisor.toml"
    if kind == "link":
        file.symlink_to("nowhere")
    elif kind == "folder":
        file.mkdir()
    else:
        os.mkfifo(file)
    with pytest.raises(SettingsError) as error:
        load_settings(folder)
    assert str(error.value) == f"advisor.toml: cannot be read: {reason}"


@pytest.mark.usefixtures("folder")
def test_traffic_file_without_a_table_is_an_error() -> None:
    with pytest.raises(SettingsError, match=r"t\.toml:1: holds no \[\[traffic\]\] table"):
        read_traffic(write("t.toml", ""))


@pytest.mark.usefixtures("folder")
def test_traffic_file_holds_no_other_table() -> None:
    with pytest.raises(
        SettingsError, match=r"t\.toml:1: unknown key budgets; it takes dlsw, traffic"
    ):
        read_traffic(write("t.toml", "[budgets]\n"))


class TestWhichFile:
    def test_built_in_settings_where_there_is_none(self, folder: Path) -> None:
        settings = load_settings(folder)
        assert (settings.file, settings.budgets) == (None, PROFILES["voice"])

    def test_nearest_file_upwards_wins(self, folder: Path) -> None:
        write("advisor.toml", "profile = 'data'\n")
        write("a/advisor.toml", "profile = 'strict'\n")
        settings = load_settings(write("a/b/r1.cfg", "").parent)
        assert (settings.profile, settings.file) == ("strict", str(Path("a/advisor.toml")))
        assert load_settings(folder).profile == "data"

    def test_pyproject_counts_where_it_has_our_table(self, folder: Path) -> None:
        write("advisor.toml", "profile = 'data'\n")
        write("a/pyproject.toml", "[tool.advisor]\nprofile = 'dlsw'\n")
        write("b/pyproject.toml", "[project]\nname = 'advisor'\n")
        assert load_settings(folder / "a").profile == "dlsw"
        assert load_settings(folder / "b").profile == "data"

    def test_error_in_pyproject_names_its_table(self, folder: Path) -> None:
        write("pyproject.toml", "[project]\nname = 'x'\n[tool.advisor.budgets]\nrtt = 1\n")
        with pytest.raises(SettingsError) as caught:
            load_settings(folder)
        assert str(caught.value) == (
            "pyproject.toml:4: [tool.advisor.budgets] unknown key rtt; did you mean rtt_ms?"
        )

    def test_advisor_toml_wins_over_pyproject_beside_it(self, folder: Path) -> None:
        write("advisor.toml", "profile = 'data'\n")
        write("pyproject.toml", "[tool.advisor]\nprofile = 'dlsw'\n")
        assert load_settings(folder).profile == "data"

    def test_stated_file_is_taken_instead(self, folder: Path) -> None:
        write("advisor.toml", "profile = 'data'\n")
        other = write("mine.toml", "profile = 'dlsw'\n")
        assert load_settings(folder, Flags(config=other)).profile == "dlsw"

    @pytest.mark.parametrize(
        ("content", "expected"),
        [
            pytest.param(
                None, "mine.toml: cannot be read: No such file or directory", id="missing"
            ),
            pytest.param(b"\xff\xfe", "mine.toml: is not UTF-8 text", id="not UTF-8"),
        ],
    )
    def test_stated_file_must_be_readable(
        self, folder: Path, content: bytes | None, expected: str
    ) -> None:
        if content is not None:
            (folder / "mine.toml").write_bytes(content)
        with pytest.raises(SettingsError, match=expected):
            load_settings(folder, Flags(config=Path("mine.toml")))


class TestFlags:
    def test_flag_wins_over_the_file(self, folder: Path) -> None:
        write("advisor.toml", "profile = 'data'\nselect = ['TXR']\nfail-on = 'error'\n")
        flags = Flags(profile="strict", select=("LLQ",), fail_on="never")
        settings = load_settings(folder, flags)
        assert (settings.profile, settings.select, settings.fail_on) == (
            "strict",
            ("LLQ",),
            "never",
        )

    def test_budgets_of_the_file_hold_under_the_profile_of_the_flag(self, folder: Path) -> None:
        write("advisor.toml", "[budgets]\nrtt_ms = 40\n")
        budgets = load_settings(folder, Flags(profile="strict")).budgets
        assert (budgets.rtt_ms, budgets.ring_wait_ms) == (40.0, 21.0)

    def test_unknown_profile(self, folder: Path) -> None:
        with pytest.raises(SettingsError, match="--profile: unknown 'dslw'; did you mean dlsw"):
            load_settings(folder, Flags(profile="dslw"))

    def test_traffic_file_comes_before_the_tables_of_the_settings(self, folder: Path) -> None:
        write("advisor.toml", "[[traffic]]\nclass = 'A'\nstreams = 1\n")
        flags = Flags(traffic=write("t.toml", "\n[[traffic]]\nclass = 'B'\nstreams = 1\n"))
        sources = [(each.class_name, each.source) for each in load_settings(folder, flags).traffic]
        assert sources == [("B", "t.toml:2"), ("A", "advisor.toml:1")]

    def test_place_of_a_key_can_be_asked_for(self, folder: Path) -> None:
        write("advisor.toml", "profile = 'data'\nselect = ['TXR']\n")
        assert load_settings(folder).origins["select"] == "advisor.toml:2"


TRANSACTIONS = "[[traffic]]\ndevice = 'dc*'\npeak_tps = 60\nout_bytes = 2000\nin_bytes = 1000\n"


class TestDlsw:
    def test_the_peak_of_a_device_is_a_traffic_table_of_its_own(self, folder: Path) -> None:
        write("advisor.toml", TRANSACTIONS + "ru_bytes = 1024\n")

        settings = load_settings(folder)

        assert settings.traffic == ()
        assert settings.transactions == (
            Transactions("dc*", 60.0, 2000, 1000, 1024, "advisor.toml:1"),
        )

    def test_the_design_says_who_backs_whom_and_how_many_may_depend_on_one(
        self, folder: Path
    ) -> None:
        text = "[dlsw]\nredundant_peers = [['10.0.0.1', 'dc2']]\nfault_domain_peers = 250\n"
        write("advisor.toml", text)

        design = load_settings(folder).dlsw

        assert design == DlswDesign((("10.0.0.1", "dc2"),), 250, "advisor.toml:2", "advisor.toml:3")

    def test_a_traffic_file_may_state_the_design_too(self, folder: Path) -> None:
        write("advisor.toml", "[dlsw]\nfault_domain_peers = 250\n")
        stated = write("t.toml", "[dlsw]\nfault_domain_peers = 300\n")

        assert load_settings(folder, Flags(traffic=stated)).dlsw.fault_domain_peers == 300
        assert load_settings(folder).dlsw.fault_domain_peers == 250

    def test_what_is_in_force_can_be_pasted_back(self, folder: Path) -> None:
        text = "[dlsw]\nredundant_peers = [['10.0.0.1', 'dc2']]\nfault_domain_peers = 250\n"
        write("advisor.toml", text + TRANSACTIONS + "ru_bytes = 1024\n")
        settings = load_settings(folder)

        write("again/advisor.toml", render(settings))

        again = load_settings(folder / "again")
        assert again.dlsw.redundant_peers == settings.dlsw.redundant_peers
        assert again.dlsw.fault_domain_peers == settings.dlsw.fault_domain_peers
        assert [(each.device, each.peak_tps) for each in again.transactions] == [("dc*", 60.0)]

    def test_a_peak_of_no_device_of_the_run_is_said(self) -> None:
        peak = Transactions("dc9", 60.0, 2000, 1000, 1024, "advisor.toml:1")

        verdict = review([Source("r1.cfg", b"hostname r1\n")], (), Settings(transactions=(peak,)))

        assert [(each.rule, each.device) for each in verdict.skipped] == [("traffic", "dc9")]

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            pytest.param(
                TRANSACTIONS,
                "advisor.toml:1: [[traffic]] ru_bytes is missing: transactions need peak_tps, "
                "out_bytes, in_bytes, ru_bytes",
                id="a peak without its RU",
            ),
            pytest.param(
                TRANSACTIONS + "ru_bytes = 1024\nclass = 'SNA'\n",
                "advisor.toml:7: [[traffic]] peak_tps is for a whole device: remove class",
                id="a peak of a class",
            ),
            pytest.param(
                "[dlsw]\nredundant_peers = [['10.0.0.1']]\n",
                "advisor.toml:2: [dlsw] redundant_peers: a set needs at least two peers",
                id="a pair of one",
            ),
            pytest.param(
                "[dlsw]\nredundant_peers = [['a', 'b'], ['b', 'c']]\n",
                "advisor.toml:2: [dlsw] redundant_peers: b occurs twice; a head end is in one "
                "set, once",
                id="a head end in two pairs",
            ),
            pytest.param(
                "[dlsw]\nfault_domain = 250\n",
                "advisor.toml:2: [dlsw] unknown key fault_domain; did you mean fault_domain_peers?",
                id="a misspelt key",
            ),
        ],
    )
    def test_an_error_names_the_line_and_what_to_do(
        self, folder: Path, text: str, expected: str
    ) -> None:
        write("advisor.toml", text)

        with pytest.raises(SettingsError) as caught:
            load_settings(folder)

        assert str(caught.value) == expected


def test_a_number_of_thousands_of_digits_is_no_setting() -> None:
    with pytest.raises(SettingsError, match="not TOML"):
        document_of(f"[[traffic]]\npacket_bytes = {'9' * 5000}\n", "advisor.toml")


@pytest.mark.parametrize("way", list(ReturnPath)[1:])
def test_the_way_back_of_probes_is_a_setting(folder: Path, way: ReturnPath) -> None:
    (folder / "advisor.toml").write_text(f'[ip_sla]\nreturn_path = "{way}"\n', encoding="utf-8")

    assert load_settings(folder).return_path is way


def test_another_way_back_is_refused_with_the_known_ones(folder: Path) -> None:
    (folder / "advisor.toml").write_text('[ip_sla]\nreturn_path = "full"\n', encoding="utf-8")

    with pytest.raises(SettingsError, match=r"advisor.toml:2: \[ip_sla\] return_path: unknown"):
        load_settings(folder)
