/* Replications of an interface with TCP flows. Their windows take seconds to settle whatever the
 * rate, so they run in time; the caller says how long, and weighs what they count. */
#include "closed_loop.h"
#include "kernel.h"
#include "red.h"

#define EXPORT(name) __attribute__((export_name(#name)))
#define MOST_STEPS 1000000000
#define MORE_PER_FLOW 1
#define MORE_PER_QUEUE 4

static double until_ms;

EXPORT(closed_read_interface) void closed_read_interface(int count, int flows, int queues) {
  run_read(count, 0, flows * MORE_PER_FLOW + queues * MORE_PER_QUEUE);
  red_read();
  closed_read();
}

EXPORT(closed_begin) void closed_begin(int replication, double start_within_ms, double warm_ms) {
  run_begin(replication, start_within_ms);
  until_ms = run_on(MOST_STEPS, warm_ms);
}

static void tell_queues(int is_begin) {
  for (Queue *queue = line.queues; queue < line.queues + line.queue_count; queue++) {
    queue_tell(queue, until_ms);
    if (is_begin) queue->held_ms = 0;
  }
}

/* Go on and measure: the results of the flows, then the drops of WRED of each, then of each queue
 * its mean packets and what arrivals saw of the average. */
EXPORT(closed_measure) double *closed_measure(double measured_ms) {
  measure_forget();
  measure_begin(until_ms);
  red_measure();
  tell_queues(1);
  until_ms = run_on(MOST_STEPS, until_ms + measured_ms);
  tell_queues(0);
  measure_end(until_ms);
  double *out = results + results_write(results);
  for (int flow = 0; flow < line.flow_count; flow++) *out++ = red_dropped(flow);
  for (int queue = 0; queue < line.queue_count; queue++) {
    RedSeen seen = red_seen(queue);
    double samples = seen.samples > 0 ? seen.samples : 1;
    *out++ = line.queues[queue].held_ms / measured_ms;
    *out++ = seen.averages / samples;
    *out++ = seen.squares / samples;
    *out++ = seen.above_max / samples;
  }
  return results;
}
