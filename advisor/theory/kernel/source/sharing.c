/* How queues below the priority queues share the wire: self-clocked fair queueing (S. J. Golestani,
 * IEEE INFOCOM 1994) in one group or two, minimum rates first where excess bandwidth is not shared
 * in proportion, shapers of queues. docs/simulation.md has the rules. */
#include "kernel.h"

#define GROUPS 2

static double served_tag[GROUPS]; /* of the packet taken last */
static int waiting[GROUPS];       /* packets */

static int group_of(const Queue *queue) {
  return line.excess == UNRESERVED_FIRST && queue->guaranteed_bits_per_ms > 0;
}

static int head_of(const Queue *queue) {
  return queue->conversation_limit ? conversation_head(queue) : queue->waiting.head;
}

static void catch_up(Queue *queue, double now_ms) {
  double tag = served_tag[group_of(queue)];
  if (queue->tag < tag) queue->tag = tag;
  if (queue->due_ms < now_ms) queue->due_ms = now_ms;
}

void sharing_start(void) {
  for (int group = 0; group < GROUPS; group++) served_tag[group] = waiting[group] = 0;
}

void sharing_put(Queue *queue, int packet, double now_ms) {
  if (queue->conversation_limit) conversation_put(queue, packet);
  else list_put(&queue->waiting, packet);
  if (!queue->count) catch_up(queue, now_ms);
  waiting[group_of(queue)]++;
}

/* Whether its shaper lets the head of a queue go. */
static int may_send(Queue *queue, double now_ms) {
  if (!bucket_exists(&queue->shaper)) return 1;
  double bits = line.sizes[line.packets[head_of(queue)].size].queue_shaper_bits;
  if (!bucket_covers(&queue->shaper, bits, now_ms)) {
    double ready_ms = bucket_ready_ms(&queue->shaper, bits);
    if (ready_ms < scheduler_wake_ms) scheduler_wake_ms = ready_ms;
    queue->is_held = 1;
    return 0;
  }
  if (queue->is_held) catch_up(queue, now_ms);
  queue->is_held = 0;
  return 1;
}

static double finish_tag(const Queue *queue) {
  return queue->tag + line.sizes[line.packets[head_of(queue)].size].frame_bytes / queue->weight;
}

/* The queue that goes next: one that is due, else the least finish tag of the first group with a
 * packet; none if all wait for tokens. */
Queue *sharing_next(double now_ms, int *is_due) {
  Queue *due = 0, *best = 0;
  double best_tag = FAR_MS;
  int best_group = GROUPS;
  for (Queue *queue = line.queues; queue < line.queues + line.queue_count; queue++) {
    if (queue->kind != SHARED || !queue->count || !may_send(queue, now_ms)) continue;
    if (line.excess != PROPORTIONAL && queue->guaranteed_bits_per_ms > 0 &&
        queue->due_ms <= now_ms && (!due || queue->due_ms < due->due_ms))
      due = queue;
    int group = group_of(queue);
    double tag = finish_tag(queue);
    if (group > best_group || (group == best_group && tag >= best_tag)) continue;
    best = queue, best_tag = tag, best_group = group;
  }
  *is_due = due != 0;
  return due ? due : best;
}

int sharing_take(Queue *queue, int is_due) {
  int packet = head_of(queue), group = group_of(queue);
  const SizeKind *size = &line.sizes[line.packets[packet].size];
  if (is_due) queue->due_ms += 8 * size->frame_bytes / queue->guaranteed_bits_per_ms;
  else queue->tag = served_tag[group] = finish_tag(queue);
  if (bucket_exists(&queue->shaper)) bucket_take(&queue->shaper, size->queue_shaper_bits);
  if (queue->conversation_limit) conversation_take(queue);
  else list_take(&queue->waiting);
  waiting[group]--;
  return packet;
}

/* The packet that a queue above its limit gives up. */
int sharing_take_worst(Queue *queue) {
  waiting[group_of(queue)]--;
  queue->count--;
  return conversation_take_worst(queue);
}

/* Tags begin anew when nothing of their group waits. */
void sharing_settle(Queue *taken) {
  int group = group_of(taken);
  if (waiting[group]) return;
  served_tag[group] = 0;
  for (Queue *queue = line.queues; queue < line.queues + line.queue_count; queue++)
    if (queue->kind == SHARED && group_of(queue) == group) queue->tag = 0;
}
