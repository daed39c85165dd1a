/* Delays of the packets that enter the ring after the warm-up: sums of each replication, which are
 * independent, and a histogram of 256 bins an octave (0.3 %) for the percentiles. Their errors come
 * from groups of replications, each with a histogram of 32 bins an octave. */
#include "kernel.h"

#define BINS_PER_OCTAVE 256
#define LEAST_EXPONENT (-14) /* 0.06 us */
#define OCTAVES 36
#define BINS (BINS_PER_OCTAVE * OCTAVES)
#define HALVES 2
#define LEAST_SEEN 0.9375 /* of the replications: one without packets of a flow tells how few come */
#define LEAST_CONTROLLED 16 /* replications */
#define MATERIAL 0.06 /* of the mean: both half-widths that no sampling error explains */
#define BEYOND_CHANCE 3.5 /* standard errors: one in a hundred with eight replications (Student) */
#define PERCENTILES 3
#define GROUPS 8
#define COARSER 8 /* bins of a group: so many of all are one */
#define LOSSES 2

static const double PARTS[PERCENTILES] = {0.5, 0.95, 0.99};
/* Two-sided 95 % of Student's law, by the number of groups. */
static const double STUDENT[GROUPS + 1] = {0, 0, 12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36};

typedef struct {
  double count[HALVES], sum_ms[HALVES]; /* of the replication, by half of its window */
  double total, total_ms, squares, products, count_squares; /* of all replications */
  double sums_by_excess, counts_by_excess;
  double half_count[HALVES], half_ms[HALVES];
  double later_squares, later_products, later_count_squares; /* the second half less the first */
  double ipdv_ms, ipdv_count, top_ms, longest_ms, sent_work_ms;
  double ipdv_sum_ms, ipdv_pairs; /* of the replication */
  double ipdv_squares, ipdv_products, ipdv_count_squares;
  double offered, policed, tail_dropped;
  double came, lost; /* of the replication */
  double came_squares, came_by_ms, lost_by_ms, lost_by_came, sent_by_ms, sent_by_came;
  int replications; /* with packets */
  unsigned *bins, *groups; /* of all, and GROUPS times of a group */
} Measure;

static Measure *measures;
static double *last_ms; /* delay of the last packet of each stream; below 0: none */
static double begin_ms, window_ms, window_squares;
/* Work that came in the window of the replication, and beyond its mean: of all replications. */
static double came_ms, excess_ms, excess_squares;
static int half, is_measured, replication_count;

void measure_allocate(void) {
  measures = TAKE(Measure, line.flow_count);
  last_ms = TAKE(double, line.stream_count);
  for (int flow = 0; flow < line.flow_count; flow++) {
    measures[flow].bins = TAKE(unsigned, BINS);
    measures[flow].groups = TAKE(unsigned, GROUPS *(BINS / COARSER));
  }
  window_ms = window_squares = excess_ms = excess_squares = 0;
  replication_count = 0;
}

/* Forget all replications. */
void measure_forget(void) {
  for (Measure *measure = measures; measure < measures + line.flow_count; measure++) {
    unsigned *bins = measure->bins, *groups = measure->groups;
    __builtin_memset(bins, 0, BINS * sizeof *bins);
    __builtin_memset(groups, 0, GROUPS * (BINS / COARSER) * sizeof *groups);
    *measure = (Measure){.bins = bins, .groups = groups};
  }
  window_ms = window_squares = excess_ms = excess_squares = 0;
  replication_count = 0;
}

void measure_start(void) {
  for (int stream = 0; stream < line.stream_count; stream++) last_ms[stream] = -1;
  is_measured = half = 0;
  came_ms = 0;
}

void measure_begin(double now_ms) {
  begin_ms = now_ms;
  is_measured = 1;
}

void measure_halve(void) { half = 1; }

static void relate(Measure *measure, double sent, double span_ms) {
  measure->came_squares += measure->came * measure->came;
  measure->came_by_ms += measure->came * span_ms;
  measure->lost_by_ms += measure->lost * span_ms;
  measure->lost_by_came += measure->lost * measure->came;
  measure->sent_by_ms += sent * span_ms;
  measure->sent_by_came += sent * measure->came;
  measure->came = measure->lost = 0;
}

static void relate_ipdv(Measure *measure) {
  double sum_ms = measure->ipdv_sum_ms, pairs = measure->ipdv_pairs;
  measure->ipdv_ms += sum_ms;
  measure->ipdv_count += pairs;
  measure->ipdv_squares += sum_ms * sum_ms;
  measure->ipdv_products += sum_ms * pairs;
  measure->ipdv_count_squares += pairs * pairs;
  measure->ipdv_sum_ms = measure->ipdv_pairs = 0;
}

void measure_end(double now_ms) {
  double span_ms = now_ms - begin_ms;
  window_ms += span_ms;
  window_squares += span_ms * span_ms;
  replication_count++;
  double excess = came_ms - line.load * span_ms;
  excess_ms += excess;
  excess_squares += excess * excess;
  for (Measure *measure = measures; measure < measures + line.flow_count; measure++) {
    double count = measure->count[0] + measure->count[1];
    double sum_ms = measure->sum_ms[0] + measure->sum_ms[1];
    measure->total += count;
    measure->total_ms += sum_ms;
    measure->squares += sum_ms * sum_ms;
    measure->products += sum_ms * count;
    measure->sums_by_excess += sum_ms * excess;
    measure->counts_by_excess += count * excess;
    measure->count_squares += count * count;
    relate(measure, count, span_ms);
    relate_ipdv(measure);
    measure->replications += count > 0;
    double later_ms = measure->sum_ms[1] - measure->sum_ms[0];
    double later_count = measure->count[1] - measure->count[0];
    measure->later_squares += later_ms * later_ms;
    measure->later_products += later_ms * later_count;
    measure->later_count_squares += later_count * later_count;
    for (int i = 0; i < HALVES; i++) {
      measure->half_count[i] += measure->count[i];
      measure->half_ms[i] += measure->sum_ms[i];
      measure->count[i] = measure->sum_ms[i] = 0;
    }
  }
}

static int bin_of(double delay_ms) {
  union { double number; uint64_t bits; } parts = {delay_ms};
  int bin = (int)(parts.bits >> 44) - ((1023 + LEAST_EXPONENT) << 8);
  return bin < 0 ? 0 : bin >= BINS ? BINS - 1 : bin;
}

static double bin_begin_ms(double bin) {
  int octave = (int)(bin / BINS_PER_OCTAVE);
  double octave_ms = 1.0 / (1 << -LEAST_EXPONENT);
  for (int i = 0; i < octave; i++) octave_ms *= 2;
  return octave_ms * (1 + bin / BINS_PER_OCTAVE - octave);
}

void packet_left(int number, double sent_ms) {
  const Packet *packet = &line.packets[number];
  double delay_ms = sent_ms - packet->arrival_ms, before_ms = last_ms[packet->stream];
  last_ms[packet->stream] = delay_ms;
  if (!is_measured) return;
  Measure *measure = &measures[packet->flow];
  measure->count[half]++;
  measure->sum_ms[half] += delay_ms;
  int bin = bin_of(delay_ms), group = replication_count % GROUPS;
  measure->bins[bin]++;
  measure->groups[(group * BINS + bin) / COARSER]++;
  if (delay_ms > measure->top_ms) measure->top_ms = delay_ms;
  /* the age of a packet that waited at the start is an estimate: no delay that was seen */
  if (delay_ms > measure->longest_ms && packet->arrival_ms >= 0) measure->longest_ms = delay_ms;
  measure->sent_work_ms += line.sizes[packet->size].time_ms;
  if (before_ms >= 0) {
    measure->ipdv_sum_ms += __builtin_fabs(delay_ms - before_ms);
    measure->ipdv_pairs++;
  }
}

void packet_offered(int number) {
  const Packet *packet = &line.packets[number];
  if (!is_measured) return;
  measures[packet->flow].offered++;
  measures[packet->flow].came++;
  came_ms += line.sizes[packet->size].time_ms;
}

void packet_dropped(int flow, Verdict verdict) {
  measures[flow].lost += is_measured;
  if (verdict == POLICED) measures[flow].policed += is_measured;
  else measures[flow].tail_dropped += is_measured;
}

/* The mean delay and its variance, of independent replications as of a ratio of two sums. The work
 * that came has a known mean, so it is a control variate: a replication that got more waits longer
 * (A. M. Law, Simulation Modeling and Analysis, ch. 11). It is left out with few replications. */
static double mean_of(const Measure *measure, double *variance) {
  double mean_ms = measure->total_ms / measure->total, runs = replication_count;
  double squares = measure->squares - 2 * mean_ms * measure->products +
                   mean_ms * mean_ms * measure->count_squares;
  double common = measure->sums_by_excess - mean_ms * measure->counts_by_excess, freedom = runs - 1;
  if (runs >= LEAST_CONTROLLED && excess_squares > 0) {
    mean_ms -= common / excess_squares * excess_ms / measure->total;
    squares -= common * common / excess_squares;
    freedom--;
  }
  if (squares < 0) squares = 0; /* rounding */
  *variance = squares * runs / freedom / (measure->total * measure->total);
  return mean_ms;
}

/* A count for each packet that is offered. How many of those come is known, so what a replication
 * counted because more of them came is taken off, as in `mean_of`. */
static double part_of(const Measure *measure, double counted, double by_ms, double by_came,
                      double packets_per_ms) {
  double came_per_ms = measure->offered / window_ms, per_ms = counted / window_ms;
  if (packets_per_ms <= 0) return counted / measure->offered;
  double squares = measure->came_squares - 2 * came_per_ms * measure->came_by_ms +
                   came_per_ms * came_per_ms * window_squares;
  double common = by_came - came_per_ms * by_ms - per_ms * measure->came_by_ms +
                  came_per_ms * per_ms * window_squares;
  double slope = squares > 0 ? common / squares : 0;
  slope = slope < 0 ? 0 : slope > 1 ? 1 : slope;
  double part = (per_ms - slope * (came_per_ms - packets_per_ms)) / packets_per_ms;
  return part < 0 ? 0 : part > 1 ? 1 : part;
}

/* Part of the packets that are dropped when they come; part that is not sent: in the long run the same,
 * but a queue that begins full sends more than it takes. */
static void write_losses(const Measure *measure, double packets_per_ms, double *out) {
  double lost = measure->policed + measure->tail_dropped;
  out[0] = out[1] = 0;
  if (lost <= 0) return;
  out[0] = part_of(measure, lost, measure->lost_by_ms, measure->lost_by_came, packets_per_ms);
  out[1] = 1 - part_of(measure, measure->total, measure->sent_by_ms, measure->sent_by_came,
                       packets_per_ms);
}

/* Whether two standard errors of every mean are within some targets of its flow. */
int means_are_known(double targets) {
  for (int flow = 0; flow < line.flow_count; flow++) {
    const Measure *measure = &measures[flow];
    double allowed_ms = targets * line.flows[flow].target * measure->total_ms / 2;
    if (line.flows[flow].target <= 0) continue;
    if (measure->replications < LEAST_SEEN * replication_count) return 0;
    double variance;
    mean_of(measure, &variance);
    if (variance * measure->total * measure->total > allowed_ms * allowed_ms) return 0;
  }
  return 1;
}

/* Whether a mean moves from the first half of the windows to the second beyond what it may (MATERIAL)
 * and beyond chance: the replications have not yet forgotten how they began. */
int means_move(void) {
  for (const Measure *measure = measures; measure < measures + line.flow_count; measure++) {
    double mean_ms = measure->total_ms / measure->total;
    if (measure->half_count[0] < 1 || measure->half_count[1] < 1) continue;
    double moved_ms = measure->half_ms[1] / measure->half_count[1] -
                      measure->half_ms[0] / measure->half_count[0];
    double later_ms = measure->half_ms[1] - measure->half_ms[0] -
                      mean_ms * (measure->half_count[1] - measure->half_count[0]);
    double squares = measure->later_squares - 2 * mean_ms * measure->later_products +
                     mean_ms * mean_ms * measure->later_count_squares;
    double runs = replication_count, variance = (runs * squares - later_ms * later_ms) / (runs - 1);
    if (__builtin_fabs(moved_ms) > MATERIAL * mean_ms &&
        later_ms * later_ms > BEYOND_CHANCE * BEYOND_CHANCE * variance)
      return 1;
  }
  return 0;
}

/* A walk up the bins of a flow: `passed` packets are in those below `bin`. */
typedef struct { int bin; double passed; } Walk;

/* Smallest delay with at least `part` of the packets at or below it, even within a bin; no less than
 * where the walk is. */
static double percentile_ms(const Measure *measure, double part, Walk *walk) {
  double wanted = part > 0 ? part * measure->total : 0;
  for (; walk->bin < BINS - 1; walk->passed += measure->bins[walk->bin++]) { /* the last has no end */
    while (walk->bin < BINS - 2 && !measure->bins[walk->bin]) walk->bin++; /* most are empty */
    double here = measure->bins[walk->bin];
    if (here <= 0 || walk->passed + here < wanted) continue;
    double begin = bin_begin_ms(walk->bin), end = bin_begin_ms(walk->bin + 1);
    double at_ms = begin + (end - begin) * (wanted - walk->passed) / here;
    return at_ms < measure->top_ms ? at_ms : measure->top_ms;
  }
  return measure->top_ms;
}

/* Half-width of 95 % of the part of the packets up to the bin where a walk is: by the parts of the groups, as of a
 * ratio of two sums. */
static double part_error(const Measure *measure, const Walk *walk) {
  int groups = replication_count < GROUPS ? replication_count : GROUPS, last = walk->bin / COARSER;
  double below[GROUPS], count[GROUPS], all_below = 0, all = 0, squares = 0;
  for (int group = 0; group < groups; group++) {
    const unsigned *bins = measure->groups + group * (BINS / COARSER);
    below[group] = count[group] = 0;
    for (int bin = 0; bin < BINS / COARSER; bin++) {
      count[group] += bins[bin];
      if (bin <= last) below[group] += bins[bin];
    }
    all_below += below[group];
    all += count[group];
  }
  for (int group = 0; group < groups; group++) {
    double beyond = below[group] - all_below / all * count[group];
    squares += beyond * beyond;
  }
  return groups < 2 ? 0 : STUDENT[groups] * __builtin_sqrt(squares * groups / (groups - 1)) / all;
}

/* Percentiles, then the ends of each: those of the parts that its own may be off by, in order. */
static void write_percentiles(const Measure *measure, double *out) {
  Walk walk = {0, 0};
  double *ends = out + PERCENTILES;
  for (int i = 0; i < PERCENTILES; i++) {
    out[i] = percentile_ms(measure, PARTS[i], &walk);
    double error = part_error(measure, &walk);
    Walk low = {0, 0}, high = walk;
    ends[2 * i] = percentile_ms(measure, PARTS[i] - error, &low);
    ends[2 * i + 1] = percentile_ms(measure, PARTS[i] + error, &high);
    if (i && ends[2 * i + 1] < ends[2 * i - 1]) ends[2 * i + 1] = ends[2 * i - 1];
  }
  for (int i = PERCENTILES - 1; i; i--)
    if (ends[2 * i - 2] > ends[2 * i]) ends[2 * i - 2] = ends[2 * i];
}

static double ipdv_error_ms(const Measure *measure) {
  double mean_ms = measure->ipdv_ms / measure->ipdv_count, runs = replication_count;
  double squares = measure->ipdv_squares - 2 * mean_ms * measure->ipdv_products +
                   mean_ms * mean_ms * measure->ipdv_count_squares;
  return squares > 0 && runs > 1 ? __builtin_sqrt(squares * runs / (runs - 1)) / measure->ipdv_count : 0;
}

/* The numbers of each flow in the order of `advisor.theory.kernel.results`; their count. */
int results_write(double *out) {
  double *begin = out;
  for (int flow = 0; flow < line.flow_count; flow++) {
    const Measure *measure = &measures[flow];
    int is_seen = measure->total > 0, has_pairs = measure->ipdv_count > 0;
    *out++ = measure->total;
    double variance = 0;
    *out++ = is_seen ? mean_of(measure, &variance) : 0;
    *out++ = __builtin_sqrt(variance);
    for (int i = 0; i < HALVES; i++)
      *out++ = measure->half_count[i] > 0 ? measure->half_ms[i] / measure->half_count[i] : 0;
    write_percentiles(measure, out);
    out += 3 * PERCENTILES;
    *out++ = measure->longest_ms;
    *out++ = has_pairs ? measure->ipdv_ms / measure->ipdv_count : 0;
    *out++ = has_pairs ? ipdv_error_ms(measure) : 0;
    *out++ = measure->ipdv_count;
    *out++ = measure->offered;
    *out++ = measure->policed;
    *out++ = measure->tail_dropped;
    write_losses(measure, line.flows[flow].packets_per_ms, out);
    out += LOSSES;
    *out++ = measure->sent_work_ms / window_ms;
    *out++ = replication_count;
  }
  return (int)(out - begin);
}
