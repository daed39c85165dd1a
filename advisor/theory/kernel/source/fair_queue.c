/* Conversations of a queue: self-clocked fair queueing (S. J. Golestani, IEEE INFOCOM 1994), weighted
 * by precedence. A heap holds the conversations with packets, the least finish tag first. */
#include "kernel.h"

static double finish_tag(const Conversation *conversation, double begin) {
  const Packet *packet = &line.packets[conversation->waiting.head];
  return begin + line.sizes[packet->size].frame_bytes / line.flows[packet->flow].precedence_weight;
}

static void sink(Queue *queue) {
  int *heap = queue->heap, moved = heap[0], at = 0;
  double tag = line.conversations[moved].tag;
  for (int child; (child = 2 * at + 1) < queue->heap_count; at = child) {
    if (child + 1 < queue->heap_count &&
        line.conversations[heap[child + 1]].tag < line.conversations[heap[child]].tag)
      child++;
    if (line.conversations[heap[child]].tag >= tag) break;
    heap[at] = heap[child];
  }
  heap[at] = moved;
}

static void add(Queue *queue, int added) {
  int *heap = queue->heap, at = queue->heap_count++;
  double tag = line.conversations[added].tag;
  for (int parent; at > 0 && line.conversations[heap[parent = (at - 1) / 2]].tag > tag; at = parent)
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
  conversation->tag = finish_tag(
      conversation, last_tag > queue->conversation_tag ? last_tag : queue->conversation_tag);
  add(queue, index);
}

int conversation_head(const Queue *queue) {
  return line.conversations[queue->heap[0]].waiting.head;
}

int conversation_take(Queue *queue) {
  Conversation *conversation = &line.conversations[queue->heap[0]];
  int packet = list_take(&conversation->waiting);
  queue->conversation_tag = conversation->tag;
  if (--conversation->count) conversation->tag = finish_tag(conversation, conversation->tag);
  else queue->heap[0] = queue->heap[--queue->heap_count];
  if (queue->heap_count) sink(queue);
  else conversations_forget(queue);
  return packet;
}

/* A queue that has emptied begins anew: all tags are 0. */
void conversations_forget(Queue *queue) {
  queue->era++;
  queue->conversation_tag = 0;
}
