/* Replications of an interface, each with its own seed and phases, until the means are known. */
#include "kernel.h"

#define EXPORT(name) __attribute__((export_name(#name)))
#define RESULTS_PER_FLOW 15
#define COARSE 4 /* times the target where fine means cost too much */

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
  packet_offered(flow);
  int number = packet_new(flow, stream, now_ms);
  Verdict verdict = POLICED;
  if (!is_policed(flow, line.packets[number].size, now_ms)) {
    if (line.is_shaped) verdict = pass_shaped(number, now_ms);
    else verdict = pass(number, now_ms);
  }
  if (verdict == PASSED) return;
  packet_dropped(flow, verdict);
  packet_free(number);
}

/* Run for some steps; the time of the last event. */
static double go_on(long steps) {
  double now_ms = 0;
  int first = earliest();
  for (long end = run_steps + steps; run_steps < end;) {
    if (ring_free_ms <= next_ms[first] && ring_free_ms <= scheduler_wake_ms) {
      now_ms = ring_free_ms;
      ring_release();
    } else if (scheduler_wake_ms <= next_ms[first]) {
      now_ms = scheduler_wake_ms;
      scheduler_wake_ms = FAR_MS; /* a full ring does not ask the scheduler */
      run_steps++;
      ring_fill(now_ms);
    } else {
      now_ms = next_ms[first];
      if (now_ms >= FAR_MS) break;
      arrive(first);
      first = earliest();
    }
  }
  return now_ms;
}

static void replicate(int replication, long warm_steps, long measured_steps) {
  random_seed((uint64_t)replication);
  measure_start();
  ring_start();
  scheduler_start(replication);
  sources_start(replication);
  ring_fill(0);
  measure_begin(go_on(warm_steps));
  go_on(measured_steps / 2);
  measure_halve();
  measure_end(go_on(measured_steps - measured_steps / 2));
}

/* Room for `count` numbers that describe an interface; what was there before is gone. */
EXPORT(room) double *room(int count) {
  arena_reset();
  return TAKE(double, count);
}

/* Solve the interface at `numbers`: rounds of `replications`, each longer than the last. They end
 * when the means are known, after `enough_steps` when they are known to a multiple of that, and at
 * `most_steps` at the latest. Returns the results, a row for each flow. */
EXPORT(solve) double *solve(const double *numbers, int replications, int warm_steps,
                            int measured_steps, int enough_steps, int most_steps) {
  interface_read(numbers);
  sources_allocate();
  ring_allocate();
  measure_allocate();
  double *results = TAKE(double, line.flow_count * RESULTS_PER_FLOW);
  run_steps = 0;
  long warm = warm_steps, measured = measured_steps;
  for (int done = 0;;) {
    for (int i = 0; i < replications; i++) replicate(done++, warm, measured);
    warm += warm / 2;
    measured += measured / 2;
    long after = run_steps + replications * (warm + measured);
    if (means_are_known(after > enough_steps ? COARSE : 1) || after > most_steps) break;
  }
  results_write(results);
  return results;
}
