/* Arrivals of all streams of a flow, in order of time.
 *
 *   PERIODIC   packet k of a stream at phase + k period + U(0, jitter)      second: jitter
 *   POISSON    streams together are one Poisson process
 *   BURSTS     bursts begin as a Poisson process; rate: of bursts           second: packets,
 *                                                                           third: spacing
 *   ON_OFF     exponential times; one packet per 1/peak of the time on;
 *              rate: peak of one stream                                     second: on, third: off
 *   SATURATED  never here: the scheduler refills it                         second: backlog
 */
#include "closed_loop.h"
#include "kernel.h"

typedef struct { double at_ms; int stream; } Due;

typedef struct {
  Due *dues;         /* PERIODIC: phases in order; ON_OFF: a heap; BURSTS: unfinished, in order */
  int head, count, capacity;
  Due *late;         /* PERIODIC with jitter: a heap of packets that have left their source */
  int late_count;
  double cycle_ms;   /* PERIODIC: begin of the period; BURSTS: the next burst */
  double *left_on_ms; /* ON_OFF */
  int *left;         /* BURSTS: packets to come */
} Source;

double *next_ms;
static Source *sources;

/* Steps of phases from one replication to the next: roots of the primes 31, 37, 103, 131, 149, 283, 313
 * and 479, without their whole parts. Phases of a few streams fill their square evenly (R. D.
 * Richtmyer, 1951); what counts is how any two stand to each other: of these no multiple of a
 * difference is nearly a whole number, as 2 (sqrt 3 - sqrt 5) is. Further streams repeat them. */
static const double STEP[] = {0.56776436283, 0.08276253030, 0.14889156509, 0.44552314226,
                              0.20655561573, 0.82260384126, 0.69180601295, 0.88606862824};

static void sink(Due *heap, int count, int at) {
  Due moved = heap[at];
  for (int child; (child = 2 * at + 1) < count; at = child) {
    if (child + 1 < count && heap[child + 1].at_ms < heap[child].at_ms) child++;
    if (heap[child].at_ms >= moved.at_ms) break;
    heap[at] = heap[child];
  }
  heap[at] = moved;
}

static void rise(Due *heap, int at) {
  Due moved = heap[at];
  for (int parent; at > 0 && heap[parent = (at - 1) / 2].at_ms > moved.at_ms; at = parent)
    heap[at] = heap[parent];
  heap[at] = moved;
}

void sources_allocate(void) {
  next_ms = TAKE(double, line.flow_count);
  sources = TAKE(Source, line.flow_count);
  for (int i = 0; i < line.flow_count; i++) {
    const Flow *flow = &line.flows[i];
    Source *source = &sources[i];
    source->capacity = flow->streams;
    if (flow->kind == BURSTS) { /* most bursts at once: mean, ten deviations and some */
      double mean = flow->rate_per_ms * flow->second * flow->third;
      source->capacity = power_of_two(2 * mean + 10 * __builtin_sqrt(mean) + 64);
      source->left = TAKE(int, source->capacity);
    }
    source->dues = TAKE(Due, source->capacity);
    if (flow->kind == PERIODIC && flow->second > 0) /* each stream's, its jitter over its period */
      source->late = TAKE(Due, flow->streams * (flow->second * flow->rate_per_ms / flow->streams + 2) + 2);
    if (flow->kind == ON_OFF) source->left_on_ms = TAKE(double, flow->streams);
  }
}

/* --- periodic --- */

static void take_nominal(const Flow *flow, Source *source, double *at_ms, int *stream) {
  *at_ms = source->cycle_ms + source->dues[source->head].at_ms;
  *stream = source->dues[source->head].stream;
  if (++source->head == flow->streams) {
    source->head = 0;
    source->cycle_ms += flow->streams / flow->rate_per_ms;
  }
}

/* Packets that may come before the next nominal time are in the heap `late`. */
static void gather_late(const Flow *flow, Source *source) {
  while (!source->late_count ||
         source->late[0].at_ms > source->cycle_ms + source->dues[source->head].at_ms) {
    Due due;
    take_nominal(flow, source, &due.at_ms, &due.stream);
    due.at_ms += flow->second * random_unit();
    source->late[source->late_count] = due;
    rise(source->late, source->late_count++);
  }
}

static double periodic_next(const Flow *flow, Source *source) {
  if (!source->late) return source->cycle_ms + source->dues[source->head].at_ms;
  gather_late(flow, source);
  return source->late[0].at_ms;
}

static void periodic_start(const Flow *flow, Source *source, int replication) {
  double period_ms = flow->streams / flow->rate_per_ms;
  for (int i = 0; i < flow->streams; i++) {
    double phase = random_unit();
    int place = flow->first_phase + i;
    if (place < 8) { /* the same start in every replication, and an even step */
      phase = 0.5 * STEP[(place + 3) % 8] + replication * STEP[place];
      phase -= __builtin_floor(phase);
    }
    source->dues[i].at_ms = phase * period_ms;
    source->dues[i].stream = i;
    rise(source->dues, i);
  }
  for (int left = flow->streams - 1; left > 0; left--) { /* heap sort, then turned round */
    Due first = source->dues[0];
    source->dues[0] = source->dues[left];
    source->dues[left] = first;
    sink(source->dues, left, 0);
  }
  for (int low = 0, high = flow->streams - 1; low < high; low++, high--) {
    Due due = source->dues[low];
    source->dues[low] = source->dues[high];
    source->dues[high] = due;
  }
  source->head = source->late_count = 0;
  source->cycle_ms = 0;
}

/* --- bursts: those that have begun send in turns, as all have the same spacing --- */

static double bursts_next(const Source *source) {
  if (source->count && source->dues[source->head].at_ms <= source->cycle_ms)
    return source->dues[source->head].at_ms;
  return source->cycle_ms;
}

static void bursts_append(Source *source, Due due, int left) {
  if (source->count == source->capacity) return; /* ten deviations */
  int at = (source->head + source->count++) & (source->capacity - 1);
  source->dues[at] = due;
  source->left[at] = left;
}

/* Bursts that have begun before: their next packets come within a spacing, as a Poisson process. */
static void bursts_start(const Flow *flow, Source *source) {
  int more = (int)flow->second - 1;
  double gap_ms = 1 / (flow->rate_per_ms * more);
  source->head = source->count = 0;
  source->cycle_ms = random_exponential() / flow->rate_per_ms;
  for (double at_ms = 0; (at_ms += gap_ms * random_exponential()) < flow->third;)
    bursts_append(source, (Due){at_ms, random_below(flow->streams)}, 1 + random_below(more));
}

static int bursts_step(const Flow *flow, Source *source) {
  Due due;
  int left = (int)flow->second;
  if (source->count && source->dues[source->head].at_ms <= source->cycle_ms) {
    due = source->dues[source->head];
    left = source->left[source->head];
    source->head = (source->head + 1) & (source->capacity - 1);
    source->count--;
  } else {
    due = (Due){source->cycle_ms, random_below(flow->streams)};
    source->cycle_ms += random_exponential() / flow->rate_per_ms;
  }
  int stream = due.stream;
  due.at_ms += flow->third;
  if (left > 1) bursts_append(source, due, left - 1);
  return stream;
}

/* --- on/off --- */

/* Time until `on_ms` more of accumulated on-time, from a moment with `*left_ms` of it. */
static double after_on_time(const Flow *flow, double on_ms, double *left_ms) {
  double passed_ms = 0;
  while (on_ms > *left_ms) {
    passed_ms += *left_ms + flow->third * random_exponential();
    on_ms -= *left_ms;
    *left_ms = flow->second * random_exponential();
  }
  *left_ms -= on_ms;
  return passed_ms + on_ms;
}

static void on_off_start(const Flow *flow, Source *source) {
  for (int i = 0; i < flow->streams; i++) {
    double begin_ms = 0;
    if (random_unit() * (flow->second + flow->third) >= flow->second)
      begin_ms = flow->third * random_exponential();
    source->left_on_ms[i] = flow->second * random_exponential();
    begin_ms += after_on_time(flow, random_unit() / flow->rate_per_ms, &source->left_on_ms[i]);
    source->dues[i] = (Due){begin_ms, i};
    rise(source->dues, i);
  }
}

void sources_start(int replication) {
  for (int i = 0; i < line.flow_count; i++) {
    const Flow *flow = &line.flows[i];
    Source *source = &sources[i];
    switch (flow->kind) {
      case PERIODIC:
        periodic_start(flow, source, replication);
        next_ms[i] = periodic_next(flow, source);
        break;
      case POISSON: next_ms[i] = random_exponential() / flow->rate_per_ms; break;
      case BURSTS:
        bursts_start(flow, source);
        next_ms[i] = bursts_next(source);
        break;
      case ON_OFF:
        on_off_start(flow, source);
        next_ms[i] = source->dues[0].at_ms;
        break;
      case SATURATED:
      case CLOSED: next_ms[i] = FAR_MS; break;
    }
  }
}

/* The packet at `next_ms[flow]` is there: its stream, and the time of the next one. */
void source_step(int index, int *stream) {
  const Flow *flow = &line.flows[index];
  Source *source = &sources[index];
  switch (flow->kind) {
    case PERIODIC:
      if (source->late) {
        *stream = source->late[0].stream;
        source->late[0] = source->late[--source->late_count];
        if (source->late_count) sink(source->late, source->late_count, 0);
      } else {
        double at_ms;
        take_nominal(flow, source, &at_ms, stream);
      }
      next_ms[index] = periodic_next(flow, source);
      return;
    case POISSON:
      *stream = flow->streams > 1 ? random_below(flow->streams) : 0;
      next_ms[index] += random_exponential() / flow->rate_per_ms;
      return;
    case BURSTS:
      *stream = bursts_step(flow, source);
      next_ms[index] = bursts_next(source);
      return;
    case ON_OFF:
      *stream = source->dues[0].stream;
      source->dues[0].at_ms +=
          after_on_time(flow, 1 / flow->rate_per_ms, &source->left_on_ms[*stream]);
      sink(source->dues, flow->streams, 0);
      next_ms[index] = source->dues[0].at_ms;
      return;
    case SATURATED: return;
    case CLOSED: *stream = closed_arrives(index); return;
  }
}
