"""Half-widths of intervals beyond those of the regimes: relative to the mean, added to it.

They come from experiment, like those of `regimes.REGIMES`: `benchmarks/half_widths.py` prints the
errors by regime and weakness for the reference scenarios and for random variants of them.
`CORRELATED` is of `benchmarks/sampling_spread.py`. No figure depends on a number of this module.
"""

ONE_LOWER_CLASS = 0.04  # below saturation: one PK residual stands for sources of several kinds
SEVERAL_LOWER_CLASSES = 0.15  # below saturation: the division of the common wait
RANDOM_IN_FULL_RING = 0.04  # the slowed wire stands for an LLQ that comes and goes
FULL_QUEUE = 0.02  # where only the last place of the queue is now and then free
ESTIMATED = 0.2  # a queue under overload whose share of the wire is not constant
LEFT_OUT_OF_LLQ = 0.25  # a policer below saturation, on/off sources of few packets
LEFT_OUT_OF_LOWER = 0.5  # the same, of the classes below: they get all that the LLQ leaves
LEFT_OUT_OF_FULL_RING = 0.2  # a policer that ends an overload
BY_PACKETS = (
    0.02  # the kernel alone: beyond the sampling error, against the packet-level simulation
)
ALL_QUEUES = 0.04  # recursion of all queues: what the start leaves beyond the sampling error
LONG_MEMORY = 0.12  # the same, of lower queues whose memory is longer than the recursion

# Shares of the load that may be periodic (in a FIFO: or in bursts) beside random packets and still
# be covered by the half-width of the regime; beyond, the share itself is added, up to `MOST`.
PERIODIC_TOLERATED = 0.5
MIXED_TOLERATED = 0.3
MOST_ORDERED = 0.9  # periodic sources hardly wait at all: down to next to nothing

# Consecutive samples of a lane that count as one in the sampling error: with six the spread over
# twenty seeds is no more than is stated in 24 of 26 reference scenarios, 0.47 of it in the median.
CORRELATED = 6
