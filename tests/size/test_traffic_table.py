"""Traffic tables: sites to routers; errors with file and line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.predict.size import SizingError, loads_by_host, read_traffic_table

HEAD = "site,tps,out_bytes,in_bytes,ru,lf,host\n"


def test_sites_of_a_host_add_up_and_are_its_peers() -> None:
    text = HEAD + "a,10,2000,1000,1024,,dc1\nb,5,4096,0,4096,1500,dc1\nc,1,1,1,1024,,dc2\n"
    dc1, dc2 = loads_by_host(read_traffic_table(text, "t.csv"), "t.csv")

    assert (dc1.router, dc1.fps, dc1.peers) == ("dc1", 10 * 3 + 5 * 3, 2)
    assert (dc2.router, dc2.fps, dc2.peers) == ("dc2", 2, 1)


def test_a_site_with_two_kinds_of_transactions_is_one_peer() -> None:
    text = "site,tps,out_bytes,in_bytes,ru\nParis,10,2000,1000,1024\nParis,1,0,5,1024\n"
    (load,) = loads_by_host(read_traffic_table(text, "t.csv"), "t.csv")

    assert (load.fps, load.peers) == (31, 1)


def test_without_hosts_all_sites_are_of_one_router() -> None:
    text = "site,tps,out_bytes,in_bytes,ru\nParis,10,2000,1000,1024\nRome,1,0,5,1024\n"
    (load,) = loads_by_host(read_traffic_table(text, "t.csv"), "t.csv")

    assert (load.fps, load.peers) == (31, 2)


def test_columns_may_stand_in_any_order_with_blanks_and_blank_lines() -> None:
    text = "ru, tps ,site,in_bytes,out_bytes\n\n1024, 10 ,Paris,1000,2000\n"
    (site,) = read_traffic_table(text, "t.csv")

    assert site.transactions.fps == 30


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("", "t.csv: no site", id="empty"),
        pytest.param(HEAD, "t.csv: no site", id="only a head"),
        pytest.param("site,tps,out_bytes,ru\n", "t.csv:1: column in_bytes is missing", id="column"),
        pytest.param("site,tps,out_byte,in_bytes,ru\n", "did you mean out_bytes", id="misspelt"),
        pytest.param("site,site,tps\n", "t.csv:1: column site is given twice", id="twice"),
        pytest.param(HEAD + "a,x,1,1,1,,\n", "t.csv:2: tps: 'x' is not a number", id="no number"),
        pytest.param(HEAD + "a,nan,1,1,1,,\n", "t.csv:2: tps: 'nan'", id="not a number"),
        pytest.param(HEAD + "a,-1,1,1,1,,\n", "t.csv:2: tps: '-1'", id="negative"),
        pytest.param(HEAD + "a,1,1.5,1,1,,\n", "t.csv:2: out_bytes: '1.5'", id="half a byte"),
        pytest.param(HEAD + "a,1,1,1,0,,\n", "t.csv:2: ru: '0'", id="an RU of 0"),
        pytest.param(HEAD + "a,1,1,1,1,0,\n", "t.csv:2: lf: '0'", id="a largest frame of 0"),
        pytest.param(HEAD + "a,1,1,1\n", "t.csv:2: 4 cells, but 7 columns", id="short line"),
        pytest.param(HEAD + "\n,1,1,1,1,,\n", "t.csv:3: site: is empty", id="no name"),
        pytest.param(HEAD + 'a,"1\n', "t.csv:2: ", id="an open quote"),
    ],
)
def test_a_mistake_is_said_with_file_and_line(text: str, said: str) -> None:
    with pytest.raises(SizingError) as error:
        read_traffic_table(text, "t.csv")

    assert said in str(error.value)


def test_a_host_for_some_sites_alone_is_refused() -> None:
    sites = read_traffic_table(HEAD + "a,1,1,1,1,,dc1\nb,1,1,1,1,,\n", "t.csv")

    with pytest.raises(SizingError, match="site b names no host"):
        loads_by_host(sites, "t.csv")


@given(st.text())
def test_any_text_is_read_or_refused_with_a_word(text: str) -> None:
    said = "t.csv"
    try:
        read_traffic_table(text, "t.csv")
    except SizingError as error:
        said = str(error)
    assert said.startswith("t.csv")
