/* What keeps a packet out of its queue: its `police`, which meters every packet; then, only where it
 * cannot go straight into the ring, the policer of a priority queue and tail drop. */
#include "kernel.h"

static int has_tokens(Queue *queue, double frame_bytes, double now_ms) {
  double tokens = queue->tokens + (now_ms - queue->filled_ms) * queue->bytes_per_ms;
  if (tokens > queue->burst_bytes) tokens = queue->burst_bytes;
  queue->filled_ms = now_ms;
  queue->tokens = tokens;
  if (tokens < frame_bytes) return 0;
  queue->tokens = tokens - frame_bytes;
  return 1;
}

/* Whether the `police` of its queue drops a packet. */
int is_policed(int flow, int size, double now_ms) {
  Bucket *police = &line.queues[line.flows[flow].queue].police;
  double bits = line.sizes[size].police_bits;
  if (!bucket_exists(police)) return 0;
  if (bits > police->depth_bits || !bucket_has(police, bits, now_ms)) return 1;
  bucket_take(police, bits);
  return 0;
}

/* Whether the policer under congestion lets a packet wait. */
static int conforms(int flow, int size, double now_ms) {
  Queue *queue = &line.queues[line.flows[flow].queue];
  return queue->burst_bytes <= 0 || has_tokens(queue, line.sizes[size].frame_bytes, now_ms);
}

Verdict admission(int flow, int size, int conversation, double now_ms) {
  Queue *queue = &line.queues[line.flows[flow].queue];
  if (!conforms(flow, size, now_ms)) return POLICED;
  if (queue->count >= queue->limit && !queue->drops_worst) return TAIL_DROPPED;
  if (queue->conversation_limit &&
      line.conversations[conversation].count >= queue->conversation_limit)
    return TAIL_DROPPED;
  return PASSED;
}
