/* How queues below the priority queues share the wire: self-clocked fair queueing (S. J. Golestani,
 * IEEE INFOCOM 1994) in one group or two, minimum rates first where excess bandwidth is not shared
 * in proportion, shapers of queues. docs/simulation.md has the rules. */
#include "kernel.h"

#define GROUPS 2

static double served_tag[GROUPS]; /* of the packet taken last */
static int waiting[GROUPS];       /* packets */

/* Of each queue with packets: the finish tag of its head, those of the second group behind all of the
 * first, and when its minimum rate is due; as `order_of` has them. */
static uint64_t *ranks, *due;
#define LAST UINT64_MAX /* of any other queue */

static int group_of(const Queue *queue) {
  return line.excess == UNRESERVED_FIRST && queue->guaranteed_bits_per_ms > 0;
}

static int has_minimum_rate(const Queue *queue) {
  return line.excess != PROPORTIONAL && queue->guaranteed_bits_per_ms > 0;
}

static int head_of(const Queue *queue) {
  if (queue->conversation_limit) return queue->heap_count ? conversation_head(queue) : NOTHING;
  return queue->waiting.head;
}

static double finish_tag(const Queue *queue) {
  return queue->tag + line.sizes[line.packets[head_of(queue)].size].tag_length;
}

/* The head of a queue, or when it is due, has changed: its place among the others. */
static void rank(const Queue *queue) {
  int index = (int)(queue - line.queues);
  if (head_of(queue) == NOTHING) {
    ranks[index] = due[index] = LAST;
    return;
  }
  ranks[index] = order_of(finish_tag(queue)) | (uint64_t)group_of(queue) << 63;
  if (has_minimum_rate(queue)) due[index] = order_of(queue->due_ms);
}

static void catch_up(Queue *queue, double now_ms) {
  double tag = served_tag[group_of(queue)];
  if (queue->tag < tag) queue->tag = tag;
  if (queue->due_ms < now_ms) queue->due_ms = now_ms;
}

void sharing_allocate(void) {
  ranks = TAKE(uint64_t, line.queue_count);
  due = TAKE(uint64_t, line.queue_count);
}

void sharing_start(void) {
  for (int group = 0; group < GROUPS; group++) served_tag[group] = waiting[group] = 0;
  for (int queue = 0; queue < line.queue_count; queue++) ranks[queue] = due[queue] = LAST;
}

void sharing_put(Queue *queue, int packet, double now_ms) {
  if (queue->conversation_limit) conversation_put(queue, packet);
  else list_put(&queue->waiting, packet);
  if (!queue->count) catch_up(queue, now_ms);
  if (!queue->count || queue->conversation_limit) rank(queue);
  waiting[group_of(queue)]++;
}

/* Whether its shaper lets the head of a queue go. */
static int may_send(Queue *queue, double now_ms) {
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

/* Queues whose shaper does not let their head go are not among the others now. */
static void ask_shapers(double now_ms) {
  for (Queue *queue = line.queues; queue < line.queues + line.queue_count; queue++) {
    if (!bucket_exists(&queue->shaper) || head_of(queue) == NOTHING) continue;
    int index = (int)(queue - line.queues), may = may_send(queue, now_ms);
    if (may) rank(queue);
    else ranks[index] = due[index] = LAST;
  }
}

/* Whether a packet waits in a queue, or in another one that its shaper does not hold back. */
int sharing_is_behind(const Queue *own, double now_ms) {
  if (own->count) return 1;
  for (Queue *queue = line.queues; queue < line.queues + line.queue_count; queue++) {
    if (queue->kind == PRIORITY || !queue->count) continue;
    double bits = line.sizes[line.packets[head_of(queue)].size].queue_shaper_bits;
    if (!bucket_exists(&queue->shaper) || bucket_has(&queue->shaper, bits, now_ms)) return 1;
  }
  return 0;
}

/* Of equal ones the first. */
static int least(const uint64_t *numbers) {
  int first = 0;
  uint64_t number = numbers[0];
  for (int index = 1; index < line.queue_count; index++) {
    first = numbers[index] < number ? index : first;
    number = numbers[index] < number ? numbers[index] : number;
  }
  return first;
}

/* The queue that goes next: one that is due, else the least finish tag of the first group with a
 * packet; none if all wait for tokens. */
Queue *sharing_next(double now_ms, int *is_due) {
  if (line.is_shaped) ask_shapers(now_ms);
  *is_due = 0;
  if (line.excess != PROPORTIONAL) {
    int first = least(due);
    *is_due = due[first] <= order_of(now_ms);
    if (*is_due) return &line.queues[first];
  }
  int first = least(ranks);
  return ranks[first] == LAST ? 0 : &line.queues[first];
}

int sharing_take(Queue *queue, int is_due) {
  int packet = head_of(queue), group = group_of(queue);
  const SizeKind *size = &line.sizes[line.packets[packet].size];
  if (is_due) queue->due_ms += 8 * size->frame_bytes / queue->guaranteed_bits_per_ms;
  else queue->tag = served_tag[group] = finish_tag(queue);
  if (bucket_exists(&queue->shaper)) bucket_release(&queue->shaper, size->queue_shaper_bits);
  if (queue->conversation_limit) conversation_take(queue);
  else list_take(&queue->waiting);
  rank(queue);
  waiting[group]--;
  return packet;
}

/* The packet that a queue above its limit gives up. */
int sharing_take_worst(Queue *queue) {
  waiting[group_of(queue)]--;
  queue->count--;
  int packet = conversation_take_worst(queue);
  rank(queue);
  return packet;
}

/* Tags begin anew when nothing of their group waits. */
void sharing_settle(Queue *taken) {
  int group = group_of(taken);
  if (waiting[group]) return;
  served_tag[group] = 0;
  for (Queue *queue = line.queues; queue < line.queues + line.queue_count; queue++)
    if (queue->kind == SHARED && group_of(queue) == group) queue->tag = 0;
}
