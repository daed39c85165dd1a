/* Which packet, or fragment of one, enters the ring next: priority queues by level, each level in
 * order of arrival; then the rest of a packet that is cut; then the other queues (sharing.c). */
#include "kernel.h"
#include "red.h"

static List *levels;
double scheduler_wake_ms;
static int cut_packet, cut_piece;

#define EARLY_MS (-1) /* before a replication; scheduler_date says when */

void scheduler_allocate(void) {
  levels = TAKE(List, line.longest_level + 1);
  sharing_allocate();
}

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
  int alias = flow->first_size + line.sizes[size].alias;
  return place < line.sizes[size].threshold ? size : alias;
}

int packet_new(int index, int stream, double now_ms) {
  const Flow *flow = &line.flows[index];
  int number = line.free_packet;
  Packet *packet = &line.packets[number];
  line.free_packet = number == line.fresh_packet ? ++line.fresh_packet : packet->next;
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

void scheduler_put(int number, double now_ms) {
  Packet *packet = &line.packets[number];
  Queue *queue = &line.queues[line.flows[packet->flow].queue];
  if (queue->kind == PRIORITY) {
    list_put(&levels[queue->level], number);
  } else {
    sharing_put(queue, number, now_ms);
  }
  queue_tell(queue, now_ms);
  queue->count++;
}

static void put_backlogged(int flow, int stream, double now_ms) {
  int packet = packet_new(flow, stream, now_ms);
  line.packets[packet].number = line.flows[flow].put_count++;
  scheduler_put(packet, now_ms);
}

/* A queue that is never empty gets a packet for each that leaves it. */
static void leave(Queue *queue, int packet, double now_ms) {
  int flow = line.packets[packet].flow;
  queue_tell(queue, now_ms);
  queue->count--;
  if (line.flows[flow].kind == SATURATED)
    put_backlogged(flow, line.packets[packet].stream - line.flows[flow].first_stream, now_ms);
  if (!queue->count) red_emptied((int)(queue - line.queues), now_ms);
}

/* Whether the shaper of the line has the tokens of a packet; if not, when it will. */
static int line_covers(int packet, double now_ms) {
  if (!bucket_exists(&line.shaper)) return 1;
  double bits = line.sizes[line.packets[packet].size].line_shaper_bits;
  if (bucket_covers(&line.shaper, bits, now_ms)) return 1;
  scheduler_wake_ms = bucket_ready_ms(&line.shaper, bits);
  return 0;
}

static void pay(int packet) {
  if (bucket_exists(&line.shaper))
    bucket_release(&line.shaper, line.sizes[line.packets[packet].size].line_shaper_bits);
}

static int take_shared(double now_ms) {
  int is_due;
  Queue *queue = sharing_next(now_ms, &is_due);
  if (!queue) return NOTHING;
  int head = queue->conversation_limit ? conversation_head(queue) : queue->waiting.head;
  if (!line_covers(head, now_ms)) return NOTHING;
  int packet = sharing_take(queue, is_due);
  pay(packet);
  leave(queue, packet, now_ms);
  sharing_settle(queue);
  return packet;
}

/* Whether a packet goes into a ring that has room as if there were no queues; then it has paid its
 * shapers, and no queue is charged for it. */
int scheduler_goes_straight(int number, double now_ms) {
  const Packet *packet = &line.packets[number];
  const SizeKind *size = &line.sizes[packet->size];
  Queue *queue = &line.queues[line.flows[packet->flow].queue];
  int is_shared = queue->kind != PRIORITY, last_level = is_shared ? line.longest_level : queue->level;
  for (int level = 0; level <= last_level; level++)
    if (levels[level].head != NOTHING) return 0;
  if (is_shared && (cut_packet != NOTHING || sharing_is_behind(queue, now_ms))) return 0;
  int has_own = is_shared && bucket_exists(&queue->shaper);
  int has_line = bucket_exists(&line.shaper);
  if (has_own && !bucket_has(&queue->shaper, size->queue_shaper_bits, now_ms)) return 0;
  if (has_line && !bucket_has(&line.shaper, size->line_shaper_bits, now_ms)) return 0;
  if (has_own) bucket_take(&queue->shaper, size->queue_shaper_bits);
  if (has_line) bucket_take(&line.shaper, size->line_shaper_bits);
  return 1;
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
  scheduler_wake_ms = FAR_MS;
  for (int level = 0; level <= line.longest_level; level++) {
    if (levels[level].head == NOTHING) continue;
    if (!line_covers(levels[level].head, now_ms)) return NOTHING;
    packet = list_take(&levels[level]);
    pay(packet);
    leave(&line.queues[line.flows[line.packets[packet].flow].queue], packet, now_ms);
    *piece = line.pieces[line.sizes[line.packets[packet].size].first_piece];
    *is_last = 1;
    return packet;
  }
  if (cut_packet == NOTHING) {
    packet = take_shared(now_ms);
    if (packet == NOTHING) return NOTHING;
    scheduler_cut(packet);
  }
  return take_fragment(piece, is_last);
}

/* Tokens of a bucket that is offered more than its rate: they lack of the next packet. */
static double lacking(double per_packet, double most) {
  double tokens = random_unit() * per_packet;
  return tokens < most ? tokens : most;
}

/* Any other bucket is full in the long run. One that meters only a congested line needs a line that
 * stays congested. */
static void policers_start(Queue *queue) {
  Bucket *police = &queue->police;
  int is_congested = line.load >= 1 || line.has_backlog;
  double per_packet = queue->offered_bytes_per_ms / queue->offered_per_ms;
  double bits_per_packet = queue->offered_police_bits_per_ms / queue->offered_per_ms;
  queue->tokens = queue->burst_bytes;
  queue->filled_ms = 0;
  if (queue->burst_bytes > 0 && is_congested && queue->offered_bytes_per_ms > queue->bytes_per_ms)
    queue->tokens = lacking(per_packet, queue->burst_bytes);
  bucket_start(police);
  if (bucket_exists(police) && queue->offered_police_bits_per_ms > police->bits_per_ms)
    police->tokens = lacking(bits_per_packet, police->depth_bits);
}

static void queue_start(Queue *queue) {
  queue->count = queue->heap_count = queue->early_count = 0;
  queue->waiting.head = NOTHING;
  queue->tag = 0;
  queue->changed_ms = 0;
  policers_start(queue);
  queue->due_ms = 0;
  queue->is_held = 0;
  conversations_forget(queue);
}

/* A packet of one of the flows of a queue, drawn by what waits of each of them. */
static int put_early(int index, double place) {
  Queue *queue = &line.queues[index];
  int flow = 0;
  for (; line.flows[flow].queue != index || place >= line.flows[flow].waits; flow++)
    if (line.flows[flow].queue == index) place -= line.flows[flow].waits;
  int packet = packet_new(flow, random_below(line.flows[flow].streams), EARLY_MS);
  int conversation = line.packets[packet].conversation;
  if (queue->conversation_limit &&
      line.conversations[conversation].count >= queue->conversation_limit) {
    packet_free(packet);
    return 0;
  }
  line.packets[packet].number = queue->early_count++;
  scheduler_put(packet, 0);
  return 1;
}

/* Packets that wait when a replication begins: as many as a queue lacks; how many that is. */
static int fill_queue(int index, int is_sure) {
  Queue *queue = &line.queues[index];
  int waits = 0, put = 0;
  queue->early_per_ms = 0;
  for (const Flow *flow = line.flows; flow < line.flows + line.flow_count; flow++) {
    if (flow->queue != index || !flow->waits) continue;
    queue->early_per_ms += 1 / flow->gap_at_start_ms;
    if (flow->waiting_at_start || !is_sure) waits += flow->waits;
  }
  int most = waits < queue->limit ? waits : queue->limit;
  for (int lacks = most - queue->count; lacks > 0; lacks--)
    put += put_early(index, random_unit() * waits);
  return put;
}

/* All queues are long or short together, and the levels of the replications fill (0, 1) evenly. */
static void fill_queues(double exponential) {
  for (int i = 0; i < line.flow_count; i++) {
    Flow *flow = &line.flows[i];
    flow->waits = flow->waiting_at_start + (int)(flow->mean_at_start * exponential + 0.5);
    flow->put_count = 0;
    flow->beside = random_unit();
    if (flow->kind != SATURATED) continue;
    for (int put = 0; put < flow->streams * (int)flow->second; put++)
      put_backlogged(i, put % flow->streams, 0);
  }
  for (int queue = 0; queue < line.queue_count; queue++) fill_queue(queue, 0);
}

/* A queue that is full is also full behind a ring that is full: what the ring takes of it at the start
 * comes again. How many packets that is. */
int scheduler_top_up(void) {
  int put = 0;
  for (int queue = 0; queue < line.queue_count; queue++) put += fill_queue(queue, 1);
  return put;
}

/* Packets of the LLQ that have come while one of a lower class entered the ring, before the start. */
void scheduler_put_beside(void) {
  double lower_per_ms = 0;
  for (const Flow *flow = line.flows; flow < line.flows + line.flow_count; flow++)
    if (line.queues[flow->queue].kind != PRIORITY && flow->gap_at_start_ms > 0)
      lower_per_ms += 1 / flow->gap_at_start_ms;
  for (int i = 0; i < line.flow_count; i++) {
    Flow *flow = &line.flows[i];
    const Queue *queue = &line.queues[flow->queue];
    if (queue->kind != PRIORITY || flow->gap_at_start_ms <= 0) continue;
    flow->beside += 1 / flow->gap_at_start_ms / lower_per_ms;
    for (; flow->beside >= 1 && queue->count < queue->limit; flow->beside--)
      scheduler_put(packet_new(i, random_below(flow->streams), 0), 0);
    if (flow->beside >= 1) flow->beside = 0; /* the others were dropped */
  }
}

/* They came one gap after the other, the last of them just now: the first packet begins to be sent. */
void scheduler_date(void) {
  for (Packet *packet = line.packets; packet < line.packets + line.fresh_packet; packet++) {
    const Flow *flow = &line.flows[packet->flow];
    const Queue *queue = &line.queues[flow->queue];
    if (flow->kind == SATURATED)
      packet->arrival_ms = -(flow->put_count - 1 - packet->number) * flow->gap_at_start_ms;
    else if (packet->arrival_ms < 0)
      packet->arrival_ms = -(queue->early_count - 1 - packet->number) / queue->early_per_ms;
  }
}

/* What a queue that is always long waits for is not there: tokens of its own shaper, if it has one,
 * else of the line's. */
static void shapers_start(void) {
  bucket_start(&line.shaper);
  for (int i = 0; i < line.queue_count; i++) bucket_start(&line.queues[i].shaper);
  for (const Flow *flow = line.flows; flow < line.flows + line.flow_count; flow++) {
    if (!flow->waiting_at_start && flow->kind != SATURATED) continue;
    Bucket *own = &line.queues[flow->queue].shaper;
    if (bucket_exists(own)) own->tokens = 0;
    else line.shaper.tokens = 0;
  }
}

void scheduler_start(int replication) {
  double level = random_even(replication);
  line.free_packet = line.fresh_packet = 0;
  for (int level = 0; level <= line.longest_level; level++) levels[level].head = NOTHING;
  for (int i = 0; i < line.conversation_count; i++) {
    line.conversations[i].waiting.head = NOTHING;
    line.conversations[i].count = 0;
  }
  scheduler_wake_ms = FAR_MS;
  sharing_start();
  shapers_start();
  cut_packet = NOTHING;
  for (int queue = 0; queue < line.queue_count; queue++) queue_start(&line.queues[queue]);
  fill_queues(-natural_log(1 - level));
}
