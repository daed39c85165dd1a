/* Conversations of a queue: self-clocked fair queueing (S. J. Golestani, IEEE INFOCOM 1994), weighted
 * by precedence. A heap holds the conversations with packets, the least finish tag first. */
#include "kernel.h"

static double finish_tag(const Conversation *conversation, double begin) {
  const Packet *packet = &line.packets[conversation->waiting.head];
  return begin + line.sizes[packet->size].frame_bytes / line.flows[packet->flow].precedence_weight;
}

static uint64_t turns;

static int goes_before(int first, int second) {
  const Conversation *one = &line.conversations[first], *other = &line.conversations[second];
  return one->tag < other->tag || (one->tag == other->tag && one->turn < other->turn);
}

static void becomes_head(Conversation *conversation, double begin) {
  conversation->tag = finish_tag(conversation, begin);
  conversation->turn = turns++;
}

static void sink(Queue *queue) {
  int *heap = queue->heap, moved = heap[0], at = 0;
  for (int child; (child = 2 * at + 1) < queue->heap_count; at = child) {
    if (child + 1 < queue->heap_count && goes_before(heap[child + 1], heap[child])) child++;
    if (!goes_before(heap[child], moved)) break;
    heap[at] = heap[child];
  }
  heap[at] = moved;
}

static void add(Queue *queue, int added) {
  int *heap = queue->heap, at = queue->heap_count++;
  for (int parent; at > 0 && goes_before(added, heap[parent = (at - 1) / 2]); at = parent)
    heap[at] = heap[parent];
  heap[at] = added;
}

void conversation_put(Queue *queue, int packet) {
  int index = line.packets[packet].conversation;
  Conversation *conversation = &line.conversations[index];
  double last_tag = conversation->era == queue->era ? conversation->tag : 0;
  list_put(&conversation->waiting, packet);
  if (conversation->count++) return;
  conversation->era = queue->era;
  becomes_head(conversation,
               last_tag > queue->conversation_tag ? last_tag : queue->conversation_tag);
  add(queue, index);
}

int conversation_head(const Queue *queue) {
  return line.conversations[queue->heap[0]].waiting.head;
}

int conversation_take(Queue *queue) {
  Conversation *conversation = &line.conversations[queue->heap[0]];
  int packet = list_take(&conversation->waiting);
  queue->conversation_tag = conversation->tag;
  if (--conversation->count) becomes_head(conversation, conversation->tag);
  else queue->heap[0] = queue->heap[--queue->heap_count];
  if (queue->heap_count) sink(queue);
  else conversations_forget(queue);
  return packet;
}

/* Finish tag of the last packet of a conversation. */
static double last_tag(const Conversation *conversation) {
  const Packet *packet = &line.packets[conversation->waiting.head];
  double tag = conversation->tag;
  while (packet->next != NOTHING) {
    packet = &line.packets[packet->next];
    tag += line.sizes[packet->size].frame_bytes / line.flows[packet->flow].precedence_weight;
  }
  return tag;
}

static int take_last(List *list) {
  int before = NOTHING, last = list->head;
  while (line.packets[last].next != NOTHING) before = last, last = line.packets[last].next;
  if (before == NOTHING) return list_take(list);
  line.packets[before].next = NOTHING;
  list->tail = before;
  return last;
}

static void leave_heap(Queue *queue, int gone) {
  int count = queue->heap_count;
  queue->heap_count = 0;
  for (int i = 0; i < count; i++)
    if (queue->heap[i] != gone) add(queue, queue->heap[i]);
}

/* Take the packet of the largest finish tag away, of equals the one that came last. Flows that are
 * never empty keep theirs: the limit does not apply to them. */
int conversation_take_worst(Queue *queue) {
  int worst = NOTHING;
  double worst_tag = 0, worst_ms = 0;
  for (int i = 0; i < queue->heap_count; i++) {
    const Conversation *conversation = &line.conversations[queue->heap[i]];
    if (line.flows[line.packets[conversation->waiting.head].flow].kind == SATURATED) continue;
    double tag = last_tag(conversation);
    double came_ms = line.packets[conversation->waiting.tail].arrival_ms;
    if (worst != NOTHING && (tag < worst_tag || (tag == worst_tag && came_ms < worst_ms))) continue;
    worst = queue->heap[i], worst_tag = tag, worst_ms = came_ms;
  }
  Conversation *conversation = &line.conversations[worst];
  int packet = take_last(&conversation->waiting);
  if (--conversation->count) return packet;
  leave_heap(queue, worst);
  conversation->tag -= line.sizes[line.packets[packet].size].frame_bytes /
                       line.flows[line.packets[packet].flow].precedence_weight;
  return packet;
}

/* A queue that has emptied begins anew: all tags are 0. */
void conversations_forget(Queue *queue) {
  queue->era++;
  queue->conversation_tag = 0;
}
