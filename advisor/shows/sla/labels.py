"""The labels that IP SLA statistics print, in the spellings of all trains."""

import re
from typing import Final

# Titles of an operation: those of `show ip sla statistics`, and those of the 12.x forms.
OPERATION: Final = re.compile(
    r"""(?: IPSLA \s operation \s id: | Entry \s number: | Round \s trip \s time \s \(RTT\)
        (?:\s for)? \s+ Index ) \s* ([0-9]{1,10})$""",
    re.VERBOSE | re.IGNORECASE,
)

# Titles without a value; the lines below them have their own labels.
TITLE: Final = re.compile(
    r"""(?: IPSLAs? \s latest \s operation \s statistics | IPSLAs? \s aggregated \s statistics
      | current \s operational \s state | collected \s statistics
      | RTT \s values | latency \s one-way \s time (?:\s milliseconds)?
      | jitter \s time (?:\s milliseconds)? | over \s threshold | packet \s loss \s values
      | voice \s scores? (?:\s values)? | jitter \s values | one \s way \s values
      ) \s* :?$""",
    re.VERBOSE | re.IGNORECASE,
)

# Labels whose value is the rest of the line, and the field that takes it.
TEXTS: Final = {
    "type of operation": "operation",
    "latest operation start time": "started",
    "start time index": "hour",
    "start time": "hour",
    "latest operation return code": "return_code",
    "operational state of entry": None,
    "operation time to live": None,
    "modification time": None,
    "diagnostics text": None,
    "target address": None,
    "last time this entry was reset": None,
    "connection loss occurred": None,
    "timeout occurred": None,
    "over thresholds occurred": None,
    "current seconds left in life": None,
}

# Labels of one number.
COUNTS: Final = {
    "number of rtt": "rtt_samples",
    "numofrtt": "rtt_samples",
    "rttavg": "rtt_avg",
    "rttmin": "rtt_min",
    "rttmax": "rtt_max",
    "number of latency one-way samples": "latency_samples",
    "number of jitter samples": "jitter_samples",
    "numofjittersamples": None,
    "number of sd jitter samples": "jitter_sd_samples",
    "number of ds jitter samples": "jitter_ds_samples",
    "number of rtt over threshold": "over_threshold",
    "number of operations over threshold": "over_threshold",
    "operations completed over threshold": "over_threshold",
    "loss source to destination": "source_to_destination_packets",
    "packetlosssd": "source_to_destination_packets",
    "loss destination to source": "destination_to_source_packets",
    "packetlossds": "destination_to_source_packets",
    "packet loss": "lost_packets",
    "packetmia": "lost_packets",
    "out of sequence": "out_of_sequence_packets",
    "packetoutofsequence": "out_of_sequence_packets",
    "tail drop": "tail_dropped_packets",
    "packet late arrival": "late_packets",
    "packetlatearrival": "late_packets",
    "packet skipped": "skipped_packets",
    "calculated planning impairment factor (icpif)": "icpif",
    "icpif": "icpif",
    "mean opinion score (mos)": "mean_opinion_score",
    "mos score": "mean_opinion_score",
    "number of successes": "successes",
    "number of successful operations": "successes",
    "number of failures": "failures",
    "numofow": "latency_samples",
    **{
        f"{figure}{sign}{way}": f"{figure}{sign}{way}"
        for figure in ("minof", "maxof", "numof", "sumof")
        for sign in ("positives", "negatives")
        for way in ("sd", "ds")
    },
    **{f"ow{figure}{way}": f"ow{figure}{way}" for figure in ("min", "max", "sum", "avg")
       for way in ("sd", "ds")},
}  # fmt: skip

# Labels of a time in ms, and of smallest/mean/largest times.
TIMES: Final = {"latest rtt": "latest_rtt_ms", "latest rtt (milliseconds)": "latest_rtt_ms",
                "latest completion time (milliseconds)": "latest_rtt_ms"}  # fmt: skip
SPREADS: Final = {
    "rtt min/avg/max": "rtt",
    "source to destination latency one way min/avg/max": "latency_sd",
    "destination to source latency one way min/avg/max": "latency_ds",
    "source to destination jitter min/avg/max": "jitter_sd",
    "destination to source jitter min/avg/max": "jitter_ds",
}

# Known labels without a use here; their values may be lists of numbers.
UNUSED: Final = re.compile(
    r"""number \s of \s operations \s (?:attempted|skipped) | number \s of \s octets \s in \s use .*
      | number \s of \s entries | failed \s operations .* | in \s both \s directions
      | (?:source \s to \s destination|destination \s to \s source)
        (?: \s (?:inter \s)? loss \s periods? \s (?:number|length \s min/max) )?
      | (?:inter \s)? loss \s periods? \s (?:number|length \s min/max)
      | packet \s unprocessed | internalerror | busies | rttsum2?
      | sum2(?:positives|negatives)(?:sd|ds) | interarrival \s jitter(?:out|in)
      | latest \s (?:dns | tcp \s connection | http \s transaction) \s rtt
      | latest \s http \s time \s to \s first \s byte | latest \s http \s status (?:\s code)?
      | owsum2(?:sd|ds) | (?:min|max)of(?:icpif|mos)""",
    re.VERBOSE | re.IGNORECASE,
)

# `Number of failed operations due to a Timeout`: one line for each cause.
FAILED_BECAUSE: Final = "number of failed operations due to "
