/* What keeps a packet out of its queue: the policer of a priority queue, then tail drop. It is asked
 * only while the ring is full, so the policer meters under congestion alone. */
#include "kernel.h"

static int conforms(Queue *queue, double frame_bytes, double now_ms) {
  double tokens = queue->tokens + (now_ms - queue->filled_ms) * queue->bytes_per_ms;
  if (tokens > queue->burst_bytes) tokens = queue->burst_bytes;
  queue->filled_ms = now_ms;
  queue->tokens = tokens;
  if (tokens < frame_bytes) return 0;
  queue->tokens = tokens - frame_bytes;
  return 1;
}

Verdict admission(int flow, int size, int conversation, double now_ms) {
  Queue *queue = &line.queues[line.flows[flow].queue];
  if (queue->burst_bytes > 0 && !conforms(queue, line.sizes[size].frame_bytes, now_ms))
    return POLICED;
  if (queue->count >= queue->limit) return TAIL_DROPPED;
  if (queue->conversation_limit &&
      line.conversations[conversation].count >= queue->conversation_limit)
    return TAIL_DROPPED;
  return PASSED;
}
