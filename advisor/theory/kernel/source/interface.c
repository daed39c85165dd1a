/* Reads an interface from numbers in the order of `advisor.theory.kernel.layout`. */
#include "kernel.h"

Interface line;
static const double *cursor;

double interface_number(void) { return *cursor++; }
static double number(void) { return *cursor++; }
static int whole(void) { return (int)*cursor++; }

static void read_bucket(Bucket *bucket) {
  bucket_read(bucket, cursor);
  cursor += 3;
}

static void read_queue(Queue *queue) {
  queue->kind = (QueueKind)whole();
  queue->level = whole();
  queue->weight = number();
  queue->limit = whole();
  queue->conversation_limit = whole();
  queue->drops_worst = whole();
  queue->bytes_per_ms = number();
  queue->burst_bytes = number();
  queue->guaranteed_bits_per_ms = number();
  read_bucket(&queue->police);
  read_bucket(&queue->shaper);
  line.is_shaped |= bucket_exists(&queue->shaper);
  if (queue->kind == PRIORITY && queue->level > line.longest_level)
    line.longest_level = queue->level;
}

/* Alias table of the sizes of a flow whose weights lie in `threshold` (A. J. Walker, 1977). */
static void build_aliases(SizeKind *sizes, int count) {
  double total = 0;
  int *small = TAKE(int, count), *large = TAKE(int, count), smalls = 0, larges = 0;
  for (int size = 0; size < count; size++) total += sizes[size].threshold;
  for (int size = 0; size < count; size++) {
    sizes[size].threshold *= count / total;
    sizes[size].alias = size;
    if (sizes[size].threshold < 1) small[smalls++] = size;
    else large[larges++] = size;
  }
  while (smalls && larges) {
    int low = small[--smalls], high = large[larges - 1];
    sizes[low].alias = high;
    sizes[high].threshold -= 1 - sizes[low].threshold;
    if (sizes[high].threshold < 1) {
      larges--;
      small[smalls++] = high;
    }
  }
  while (larges) sizes[large[--larges]].threshold = 1;
  while (smalls) sizes[small[--smalls]].threshold = 1;
}

/* Packets of an open source: none of one that follows the interface. */
static double packets_per_ms(const Flow *flow) {
  if (flow->kind == BURSTS) return flow->rate_per_ms * flow->second;
  if (flow->kind == ON_OFF)
    return flow->rate_per_ms * flow->streams * flow->second / (flow->second + flow->third);
  return flow->kind == SATURATED || flow->kind == CLOSED ? 0 : flow->rate_per_ms;
}

/* Mean time of a packet on the wire; the weights of sizes lie in `threshold`. */
static double mean_ms(const Flow *flow) {
  double weight = 0, work_ms = 0;
  for (int i = flow->first_size; i < flow->first_size + flow->size_count; i++) {
    weight += line.sizes[i].threshold;
    work_ms += line.sizes[i].threshold * line.sizes[i].time_ms;
  }
  return work_ms / weight;
}

/* What the policers of its queue count of an open source; its weights lie in `threshold`. */
static void count_offered(const Flow *flow) {
  Queue *queue = &line.queues[flow->queue];
  double per_ms = flow->packets_per_ms, weight = 0, frame_bytes = 0, police_bits = 0;
  for (int i = flow->first_size; i < flow->first_size + flow->size_count; i++) {
    weight += line.sizes[i].threshold;
    frame_bytes += line.sizes[i].threshold * line.sizes[i].frame_bytes;
    police_bits += line.sizes[i].threshold * line.sizes[i].police_bits;
  }
  queue->offered_per_ms += per_ms;
  queue->offered_bytes_per_ms += per_ms * frame_bytes / weight;
  queue->offered_police_bits_per_ms += per_ms * police_bits / weight;
}

static void read_flow(Flow *flow, int *size_count, int *piece_count) {
  flow->queue = whole();
  flow->kind = (ArrivalKind)whole();
  flow->rate_per_ms = number();
  flow->second = number();
  flow->third = number();
  flow->streams = whole();
  flow->packets_per_ms = packets_per_ms(flow);
  flow->conversations = whole();
  flow->precedence_weight = number();
  flow->waiting_at_start = whole();
  flow->mean_at_start = number();
  flow->gap_at_start_ms = number();
  flow->target = number();
  flow->first_stream = line.stream_count;
  line.stream_count += flow->streams;
  flow->first_conversation = line.conversation_count;
  line.conversation_count += flow->streams * flow->conversations;
  flow->first_size = *size_count;
  flow->size_count = whole();
  for (int i = 0; i < flow->size_count; i++) {
    SizeKind *size = &line.sizes[(*size_count)++];
    size->threshold = number();
    size->frame_bytes = number();
    size->tag_length = size->frame_bytes / line.queues[flow->queue].weight;
    size->police_bits = number();
    size->queue_shaper_bits = number();
    size->line_shaper_bits = number();
    size->piece_count = whole();
    size->first_piece = *piece_count;
    size->time_ms = 0;
    for (int piece = 0; piece < size->piece_count; piece++) {
      size->time_ms += cursor[0];
      line.pieces[*piece_count].time_ms = number();
      line.pieces[(*piece_count)++].units = whole();
    }
  }
  flow->mean_ms = mean_ms(flow);
  line.load += flow->packets_per_ms * flow->mean_ms;
  line.has_backlog |= flow->kind == SATURATED;
  count_offered(flow);
  build_aliases(line.sizes + flow->first_size, flow->size_count);
}

/* The phases of long packets decide more: they have the first ones, which are spread evenly. */
static void order_phases(void) {
  for (Flow *flow = line.flows; flow < line.flows + line.flow_count; flow++) {
    flow->first_phase = 0;
    for (const Flow *other = line.flows; other < line.flows + line.flow_count; other++)
      if (other->kind == PERIODIC &&
          (other->mean_ms > flow->mean_ms || (other->mean_ms == flow->mean_ms && other < flow)))
        flow->first_phase += other->streams;
  }
}

/* Packets that may exist at once: what queues and closed backlogs hold, and one at each end. */
static double most_packets(void) {
  double packets = 4;
  for (int queue = 0; queue < line.queue_count; queue++) packets += line.queues[queue].limit;
  for (int flow = 0; flow < line.flow_count; flow++)
    if (line.flows[flow].kind == SATURATED)
      packets += line.flows[flow].streams * (line.flows[flow].second + 1);
  return packets;
}

static void allocate_heaps(void) {
  for (int i = 0; i < line.queue_count; i++) {
    Queue *queue = &line.queues[i];
    int conversations = 0;
    if (!queue->conversation_limit) continue;
    for (int flow = 0; flow < line.flow_count; flow++)
      if (line.flows[flow].queue == i)
        conversations += line.flows[flow].streams * line.flows[flow].conversations;
    queue->heap = TAKE(int, conversations);
  }
}

/* Lay out the interface; the numbers of sizes and pieces come first, as arrays need them. */
int interface_read(const double *numbers) {
  int size_count = 0, piece_count = 0;
  cursor = numbers;
  line = (Interface){0};
  line.ring_limit = whole();
  line.beside_wire = whole();
  line.excess = (Excess)whole();
  line.is_interleaved = whole();
  line.member_count = whole();
  line.slowness = TAKE(double, line.member_count);
  for (int member = 0; member < line.member_count; member++) line.slowness[member] = number();
  read_bucket(&line.shaper);
  line.is_shaped = bucket_exists(&line.shaper);
  line.queue_count = whole();
  line.flow_count = whole();
  line.sizes = TAKE(SizeKind, whole());
  line.pieces = TAKE(Piece, whole());
  line.queues = TAKE(Queue, line.queue_count);
  line.flows = TAKE(Flow, line.flow_count);
  for (int i = 0; i < line.queue_count; i++) read_queue(&line.queues[i]);
  for (int i = 0; i < line.flow_count; i++) read_flow(&line.flows[i], &size_count, &piece_count);
  order_phases();
  line.packets = TAKE(Packet, most_packets());
  line.conversations = TAKE(Conversation, line.conversation_count);
  allocate_heaps();
  return (int)(cursor - numbers);
}
