/* Replications of an interface, each with its own seed and phases, until the means are known. */
#include "closed_loop.h"
#include "kernel.h"
#include "red.h"

#define EXPORT(name) __attribute__((export_name(#name)))
#define RESULTS_PER_FLOW 15

double *results;
long run_steps; /* packets and fragments that came or entered the ring */

static int earliest(void) {
  int first = 0;
  for (int flow = 1; flow < line.flow_count; flow++)
    if (next_ms[flow] < next_ms[first]) first = flow;
  return first;
}

static void arrive(int flow) {
  double now_ms = next_ms[flow];
  int stream;
  run_steps++;
  source_step(flow, &stream);
  packet_offered(flow);
  int number = packet_new(flow, stream, now_ms);
  if (line.flows[flow].kind == CLOSED) closed_number(number);
  if (red_drops(flow, now_ms)) {
    packet_free(number);
    return;
  }
  if (!ring_is_full()) {
    ring_enter(number, now_ms);
    return;
  }
  Packet *packet = &line.packets[number];
  Verdict verdict = admission(flow, packet->size, packet->conversation, now_ms);
  if (verdict == PASSED) {
    scheduler_put(number);
    return;
  }
  packet_dropped(flow, verdict);
  packet_free(number);
}

double run_on(long steps, double until_ms) {
  double now_ms = 0;
  int first = earliest();
  for (long end = run_steps + steps; run_steps < end;) {
    double next = next_ms[first] < closed_next_ms ? next_ms[first] : closed_next_ms;
    if (ring_free_ms <= next) next = ring_free_ms;
    if (next >= until_ms) return until_ms;
    now_ms = next;
    if (next == ring_free_ms) {
      ring_release();
      continue;
    }
    if (next == closed_next_ms) closed_step();
    else arrive(first);
    first = earliest();
  }
  return now_ms;
}

void run_begin(int replication, double start_within_ms) {
  random_seed((uint64_t)replication);
  measure_start();
  ring_start();
  scheduler_start();
  sources_start(replication);
  red_start();
  closed_start(start_within_ms);
  ring_fill(0);
}

static void replicate(int replication, long warm_steps, long measured_steps) {
  run_begin(replication, 0);
  measure_begin(run_on(warm_steps, FAR_MS));
  run_on(measured_steps / 2, FAR_MS);
  measure_halve();
  measure_end(run_on(measured_steps - measured_steps / 2, FAR_MS));
}

/* Room for `count` numbers that describe an interface; what was there before is gone. */
EXPORT(room) double *room(int count) {
  arena_reset();
  return TAKE(double, count);
}

int run_read(const double *numbers, int more_results) {
  int count = interface_read(numbers);
  sources_allocate();
  ring_allocate();
  measure_allocate();
  red_allocate();
  closed_allocate();
  run_steps = 0;
  results = TAKE(double, line.flow_count * RESULTS_PER_FLOW + more_results);
  return count;
}

/* Solve the interface at `numbers`: rounds of `replications`, each round twice as long as the last,
 * until the means are known or `most_steps` are done. Returns the results, a row for each flow. */
EXPORT(solve) double *solve(const double *numbers, int replications, int warm_steps,
                            int measured_steps, int most_steps) {
  run_read(numbers, 0);
  long warm = warm_steps, measured = measured_steps;
  for (int done = 0;;) {
    for (int i = 0; i < replications; i++) replicate(done++, warm, measured);
    if (means_are_known()) break;
    warm *= 2;
    measured *= 2;
    if (run_steps + replications * (warm + measured) > most_steps) break;
  }
  results_write(results);
  return results;
}
