/* Which packet, or fragment of one, enters the ring next: priority queues by level, each level in
 * order of arrival; then the rest of a packet that is cut; then the other queues by self-clocked
 * fair queueing (S. J. Golestani, IEEE INFOCOM 1994). */
#include "kernel.h"
#include "red.h"

#define MOST_LEVELS 8

static List levels[MOST_LEVELS];
static double served_tag;      /* of the shared queues */
static int shared_count;       /* packets in them */
static int cut_packet, cut_piece;

void list_put(List *list, int packet) {
  line.packets[packet].next = NOTHING;
  if (list->head == NOTHING) list->head = packet;
  else line.packets[list->tail].next = packet;
  list->tail = packet;
}

int list_take(List *list) {
  int packet = list->head;
  list->head = line.packets[packet].next;
  return packet;
}

static int draw_size(const Flow *flow) {
  if (flow->size_count == 1) return flow->first_size;
  double place = random_unit() * flow->size_count;
  int size = (int)place;
  place -= size;
  size += flow->first_size;
  return place < line.sizes[size].threshold ? size : flow->first_size + line.sizes[size].alias;
}

int packet_new(int index, int stream, double now_ms) {
  const Flow *flow = &line.flows[index];
  int number = line.free_packet;
  Packet *packet = &line.packets[number];
  line.free_packet = packet->next;
  packet->arrival_ms = now_ms;
  packet->flow = index;
  packet->size = draw_size(flow);
  packet->stream = flow->first_stream + stream;
  packet->conversation = flow->first_conversation + stream * flow->conversations;
  if (flow->conversations > 1) packet->conversation += random_below(flow->conversations);
  return number;
}

void packet_free(int packet) {
  line.packets[packet].next = line.free_packet;
  line.free_packet = packet;
}

void queue_tell(Queue *queue, double now_ms) {
  queue->held_ms += queue->count * (now_ms - queue->changed_ms);
  queue->changed_ms = now_ms;
}

void scheduler_put(int number) {
  Packet *packet = &line.packets[number];
  Queue *queue = &line.queues[line.flows[packet->flow].queue];
  if (queue->kind == PRIORITY) {
    list_put(&levels[queue->level], number);
  } else {
    if (queue->conversation_limit) conversation_put(queue, number);
    else list_put(&queue->waiting, number);
    if (!queue->count && served_tag > queue->tag) queue->tag = served_tag;
    shared_count++;
  }
  queue_tell(queue, packet->arrival_ms);
  queue->count++;
}

/* A queue that is never empty gets a packet for each that leaves it. */
static void leave(Queue *queue, int packet, double now_ms) {
  int flow = line.packets[packet].flow;
  queue_tell(queue, now_ms);
  queue->count--;
  if (queue->kind == SHARED) shared_count--;
  if (line.flows[flow].kind == SATURATED)
    scheduler_put(packet_new(flow, line.packets[packet].stream - line.flows[flow].first_stream,
                             now_ms));
  if (!queue->count) red_emptied((int)(queue - line.queues), now_ms);
}

static int take_shared(double now_ms) {
  Queue *best = 0;
  double best_tag = FAR_MS;
  for (Queue *queue = line.queues; queue < line.queues + line.queue_count; queue++) {
    if (queue->kind != SHARED || !queue->count) continue;
    int head = queue->conversation_limit ? conversation_head(queue) : queue->waiting.head;
    double tag = queue->tag + line.sizes[line.packets[head].size].frame_bytes / queue->weight;
    if (tag < best_tag) best = queue, best_tag = tag;
  }
  best->tag = served_tag = best_tag;
  int packet = best->conversation_limit ? conversation_take(best) : list_take(&best->waiting);
  leave(best, packet, now_ms);
  if (!shared_count) {
    served_tag = 0;
    for (int queue = 0; queue < line.queue_count; queue++) line.queues[queue].tag = 0;
  }
  return packet;
}

/* Fragments of `packet` enter one by one, before other shared packets. */
void scheduler_cut(int packet) {
  cut_packet = packet;
  cut_piece = 0;
}

static int take_fragment(Piece *piece, int *is_last) {
  int packet = cut_packet;
  const SizeKind *size = &line.sizes[line.packets[packet].size];
  *piece = line.pieces[size->first_piece + cut_piece++];
  *is_last = cut_piece == size->piece_count;
  if (*is_last) cut_packet = NOTHING;
  return packet;
}

/* The packet of the next piece, which is its last or not; NOTHING if nothing waits. */
int scheduler_take(double now_ms, Piece *piece, int *is_last) {
  int packet;
  for (int level = 0; level <= line.longest_level; level++) {
    if (levels[level].head == NOTHING) continue;
    packet = list_take(&levels[level]);
    leave(&line.queues[line.flows[line.packets[packet].flow].queue], packet, now_ms);
    *piece = line.pieces[line.sizes[line.packets[packet].size].first_piece];
    *is_last = 1;
    return packet;
  }
  if (cut_packet == NOTHING) {
    if (!shared_count) return NOTHING;
    scheduler_cut(take_shared(now_ms));
  }
  return take_fragment(piece, is_last);
}

static void queue_start(Queue *queue) {
  queue->count = queue->heap_count = 0;
  queue->waiting.head = NOTHING;
  queue->tag = 0;
  queue->tokens = queue->burst_bytes;
  queue->filled_ms = queue->changed_ms = 0;
  conversations_forget(queue);
}

/* Packets that wait when a replication begins came one gap after the other. */
static void fill_at_start(int index) {
  const Flow *flow = &line.flows[index];
  Queue *queue = &line.queues[flow->queue];
  if (flow->kind == SATURATED) {
    for (int i = 0; i < flow->streams * (int)flow->second; i++)
      scheduler_put(packet_new(index, i % flow->streams, 0));
    return;
  }
  for (int i = flow->waiting_at_start; i > 0 && queue->count < queue->limit; i--) {
    int packet = packet_new(index, random_below(flow->streams), -i * flow->gap_at_start_ms);
    int conversation = line.packets[packet].conversation;
    if (queue->conversation_limit &&
        line.conversations[conversation].count >= queue->conversation_limit)
      packet_free(packet);
    else
      scheduler_put(packet);
  }
}

void scheduler_start(void) {
  for (int packet = 0; packet < line.packet_count; packet++)
    line.packets[packet].next = packet + 1;
  line.free_packet = 0;
  for (int level = 0; level < MOST_LEVELS; level++) levels[level].head = NOTHING;
  for (int i = 0; i < line.conversation_count; i++) {
    line.conversations[i].waiting.head = NOTHING;
    line.conversations[i].count = 0;
  }
  served_tag = 0;
  shared_count = 0;
  cut_packet = NOTHING;
  for (int queue = 0; queue < line.queue_count; queue++) queue_start(&line.queues[queue]);
  for (int flow = 0; flow < line.flow_count; flow++) fill_at_start(flow);
}
