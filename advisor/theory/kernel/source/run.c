/* Replications of an interface, each with its own seed and phases, until the means are known. */
#include "closed_loop.h"
#include "kernel.h"
#include "red.h"

#define EXPORT(name) __attribute__((export_name(#name)))
#define RESULTS_PER_FLOW 15
#define STAGGER 0.25 /* of the warm-up: the most by which it is longer */
#define LONGER 1.5 /* a round of replications than the one before */
#define COARSE 4 /* times the target where fine means cost too much */

double *results;
long run_steps; /* packets and fragments that came or entered the ring */

static int earliest(void) {
  int first = 0;
  for (int flow = 1; flow < line.flow_count; flow++)
    if (next_ms[flow] < next_ms[first]) first = flow;
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

/* With shapers the scheduler decides whether a packet goes straight into a ring that has room. */
static Verdict pass_shaped(int number, double now_ms) {
  int flow = line.packets[number].flow, size = line.packets[number].size;
  if (ring_is_full()) return wait(number, now_ms);
  if (scheduler_is_behind(flow)) {
    Verdict verdict = wait(number, now_ms);
    if (verdict == PASSED) ring_fill(now_ms);
    return verdict;
  }
  scheduler_put(number, now_ms);
  ring_fill(now_ms);
  if (!scheduler_is_behind(flow) || conforms(flow, size, now_ms)) return PASSED;
  return scheduler_withdraw(flow) ? POLICED : PASSED;
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
  sources_start(replication);
  red_start();
  closed_start(start_within_ms);
  ring_fill(0);
}

/* The window is a time, not a number of packets: that would end sooner where more of them come, and
 * the mean of several would forget the crowded ones. Where a full line sends at even times, windows
 * that all began at the same time would all count the packet at their edge, or none of them. */
static void replicate(int replication, double warm_ms, double measured_ms, long most_steps) {
  run_begin(replication, 0);
  double begin_ms = run_on(most_steps, warm_ms * (1 + STAGGER * random_even(replication)));
  measure_begin(begin_ms);
  run_on(most_steps, begin_ms + measured_ms / 2);
  measure_halve();
  measure_end(run_on(most_steps, begin_ms + measured_ms));
}

/* Room for `count` numbers that describe an interface; what was there before is gone. */
EXPORT(room) double *room(int count) {
  arena_reset();
  return TAKE(double, count);
}

int run_read(const double *numbers, int more_results) {
  int count = interface_read(numbers);
  scheduler_allocate();
  sources_allocate();
  ring_allocate();
  measure_allocate();
  red_allocate();
  closed_allocate();
  run_steps = 0;
  results = TAKE(double, line.flow_count * RESULTS_PER_FLOW + more_results);
  return count;
}

/* Solve the interface at `numbers`: rounds of `replications`, each longer than the last. They end
 * when the means are known, after `enough_steps` when they are known to a multiple of that, and at
 * `most_steps` at the latest. Returns the results, a row for each flow. */
EXPORT(solve) double *solve(const double *numbers, int replications, double warm_ms,
                            double measured_ms, int enough_steps, int most_steps) {
  run_read(numbers, 0);
  for (int done = 0;;) {
    long before = run_steps;
    for (int i = 0; i < replications; i++) replicate(done++, warm_ms, measured_ms, most_steps);
    warm_ms *= LONGER;
    measured_ms *= LONGER;
    double after = run_steps + LONGER * (run_steps - before);
    if (means_are_known(after > enough_steps ? COARSE : 1) || after > most_steps) break;
  }
  results_write(results);
  return results;
}
