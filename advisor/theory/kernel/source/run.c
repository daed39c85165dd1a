/* Replications of an interface, each with its own seed and phases, until the means are known. */
#include "closed_loop.h"
#include "kernel.h"
#include "red.h"

#define EXPORT(name) __attribute__((export_name(#name)))
#define RESULTS_PER_FLOW 25
#define EXTENT_NUMBERS 6 /* before those of the interface */
#define OUTLAST 3 /* times its warm-up, which tells nothing: the window of such a replication at least */
#define STAGGER 0.25 /* of the warm-up: the most by which it is longer */
#define LATER_SEEDS (1ULL << 32) /* of what comes after the start */
#define COARSE 3 /* times the target where fine means cost too much */

double *results;
long run_steps; /* packets and fragments that came or entered the ring */

static double larger(double first, double second) { return first > second ? first : second; }

static int earliest(void) {
  int first = 0;
  double first_ms = next_ms[0];
  for (int flow = 1; flow < line.flow_count; flow++) { /* no branches: nobody can predict them */
    int is_earlier = next_ms[flow] < first_ms;
    first = is_earlier ? flow : first;
    first_ms = is_earlier ? next_ms[flow] : first_ms;
  }
  return first;
}

static void push_out(Queue *queue) {
  int worst = sharing_take_worst(queue);
  packet_dropped(line.packets[worst].flow, TAIL_DROPPED);
  packet_free(worst);
}

static Verdict wait(int number, double now_ms) {
  const Packet *packet = &line.packets[number];
  Verdict verdict = admission(packet->flow, packet->size, packet->conversation, now_ms);
  if (verdict != PASSED) return verdict;
  Queue *queue = &line.queues[line.flows[packet->flow].queue];
  int is_above = queue->count >= queue->limit;
  scheduler_put(number, now_ms);
  if (is_above && queue->drops_worst) push_out(queue);
  return PASSED;
}

/* Without shapers nothing waits while the ring has room. */
static Verdict pass(int number, double now_ms) {
  if (ring_is_full()) return wait(number, now_ms);
  ring_enter(number, now_ms);
  return PASSED;
}

/* With shapers a packet may wait though the ring has room: perhaps not this one, or not so long. */
static Verdict pass_shaped(int number, double now_ms) {
  if (ring_is_full()) return wait(number, now_ms);
  if (scheduler_goes_straight(number, now_ms)) {
    ring_enter(number, now_ms);
    return PASSED;
  }
  Verdict verdict = wait(number, now_ms);
  if (verdict == PASSED) ring_fill(now_ms);
  return verdict;
}

static void arrive(int flow) {
  double now_ms = next_ms[flow];
  int stream;
  run_steps++;
  source_step(flow, &stream);
  int number = packet_new(flow, stream, now_ms);
  packet_offered(number);
  if (line.flows[flow].kind == CLOSED) closed_number(number);
  Verdict verdict = POLICED;
  if (!is_policed(flow, line.packets[number].size, now_ms)) {
    if (red_drops(flow, now_ms)) {
      packet_free(number);
      return;
    }
    if (line.is_shaped) verdict = pass_shaped(number, now_ms);
    else verdict = pass(number, now_ms);
  }
  if (verdict == PASSED) return;
  packet_dropped(flow, verdict);
  packet_free(number);
}

double run_on(long steps, double until_ms) {
  double now_ms = 0;
  int first = earliest();
  for (long end = run_steps + steps; run_steps < end;) {
    double coming_ms = next_ms[first] < closed_next_ms ? next_ms[first] : closed_next_ms;
    double leaving_ms = ring_free_ms < scheduler_wake_ms ? ring_free_ms : scheduler_wake_ms;
    double next = leaving_ms <= coming_ms ? leaving_ms : coming_ms;
    if (next >= until_ms) return until_ms < FAR_MS ? until_ms : now_ms;
    now_ms = next;
    if (leaving_ms > coming_ms) {
      if (next == closed_next_ms) closed_step();
      else arrive(first);
      first = earliest();
    } else if (next == ring_free_ms) {
      ring_release();
    } else {
      scheduler_wake_ms = FAR_MS; /* a full ring does not ask the scheduler */
      run_steps++;
      ring_fill(now_ms);
    }
  }
  return now_ms;
}

void run_begin(int replication, double start_within_ms) {
  random_seed((uint64_t)replication);
  measure_start();
  ring_start();
  scheduler_start(replication);
  ring_begin();
  while (scheduler_top_up()) ring_begin();
  scheduler_date();
  random_seed(LATER_SEEDS + (uint64_t)replication); /* whatever has been drawn for those */
  sources_start(replication);
  red_start();
  closed_start(start_within_ms);
}

/* The window is a time, not a number of packets: that would end sooner where more of them come, and
 * the mean of several would forget the crowded ones. Where a full line sends at even times, windows
 * that all began at the same time would all count the packet at their edge, or none of them; even
 * steps would be in step with the phases of the sources. */
static void replicate(int replication, double warm_ms, double measured_ms, long most_steps) {
  run_begin(replication, 0);
  double begin_ms = run_on(most_steps, warm_ms * (1 + STAGGER * random_unit()));
  measure_begin(begin_ms);
  run_on(most_steps, begin_ms + measured_ms / 2);
  measure_halve();
  measure_end(run_on(most_steps, begin_ms + measured_ms));
}

/* Where `count` numbers that describe an interface are written; always the same place. */
EXPORT(room) double *room(int count) { return arena_reset(count * sizeof(double)); }

void run_read(int count, int from, int more_results) {
  const double *numbers = room(count);
  random_allocate();
  interface_read(numbers + from);
  scheduler_allocate();
  sources_allocate();
  ring_allocate();
  measure_allocate();
  red_allocate();
  closed_allocate();
  run_steps = 0;
  results = TAKE(double, line.flow_count * RESULTS_PER_FLOW + more_results);
}

/* Solve the interface that `count` numbers in the room describe, behind the six of its extent:
 * `least` replications of the first length, and more, each `longer` than the last, until the means are
 * known, after `enough_steps` known to a multiple of that, to `most_steps` at the latest. Where the
 * means still move, the first ones only were a warm-up. Returns the results, a row for each flow. */
EXPORT(solve) double *solve(int count) {
  const double *extent = room(count);
  long least = (long)extent[0], enough_steps = (long)extent[3], most_steps = (long)extent[4];
  double warm_ms = extent[1], measured_ms = extent[2], longer = extent[5];
  run_read(count, EXTENT_NUMBERS, 0);
  for (int done = 0, first = 0;;) {
    replicate(done++, warm_ms, measured_ms, most_steps);
    if (done < first + least) continue;
    if (done == first + least && run_steps < most_steps / 4 && means_move()) {
      measure_forget();
      first = done;
      warm_ms += measured_ms;
      measured_ms *= 2;
      continue;
    }
    if (means_are_known(run_steps < enough_steps ? 1 : COARSE) || run_steps > most_steps) break;
    warm_ms *= longer;
    measured_ms = larger(measured_ms * longer, warm_ms * OUTLAST);
  }
  results_write(results);
  return results;
}
