/* The transmit rings: FIFOs, so the last bit of a piece is known when it enters. Its place falls free
 * then, or when it begins to be sent where the packet on the wire has left the ring.
 *
 * A multilink bundle has a ring and a wire for each member. A piece goes to the member with room
 * where its last bit leaves first, and the far end delivers in the order of sending (RFC 1990). */
#include "closed_loop.h"
#include "kernel.h"

typedef struct { double free_ms; int units; } Place;

typedef struct {
  Place *places;
  int head, tail, used;
  double sent_ms; /* when everything in the ring has been sent */
  double free_ms; /* when its next place falls free */
} Ring;

double ring_free_ms;
static Ring *rings;
static int mask, rings_with_room;
static double in_order_ms; /* when all pieces with a sequence number have arrived */

void ring_allocate(void) {
  int count = power_of_two(line.ring_limit + 2.0);
  mask = count - 1;
  rings = TAKE(Ring, line.member_count);
  for (int member = 0; member < line.member_count; member++)
    rings[member].places = TAKE(Place, count);
}

void ring_start(void) {
  for (int member = 0; member < line.member_count; member++) {
    Ring *ring = &rings[member];
    ring->head = ring->tail = ring->used = 0;
    ring->sent_ms = 0;
    ring->free_ms = FAR_MS;
  }
  in_order_ms = 0;
  ring_free_ms = FAR_MS;
  rings_with_room = line.member_count;
}

int ring_is_full(void) { return !rings_with_room; }

static Ring *earliest(void) {
  Ring *first = rings;
  for (int member = 1; member < line.member_count; member++)
    if (rings[member].free_ms < first->free_ms) first = &rings[member];
  return first;
}

static double last_bit_ms(int member, Piece piece, double now_ms) {
  double sent_ms = rings[member].sent_ms;
  return (sent_ms > now_ms ? sent_ms : now_ms) + piece.time_ms * line.slowness[member];
}

static int member_for(Piece piece, double now_ms) {
  int best = NOTHING;
  double best_ms = FAR_MS;
  if (line.member_count == 1) return 0;
  for (int member = 0; member < line.member_count; member++) {
    if (rings[member].used >= line.ring_limit) continue;
    double last_ms = last_bit_ms(member, piece, now_ms);
    if (last_ms < best_ms) best = member, best_ms = last_ms;
  }
  return best;
}

/* Interleaved priority packets have no sequence number and wait for none. */
static int is_numbered(int packet) {
  return !(line.is_interleaved &&
           line.queues[line.flows[line.packets[packet].flow].queue].kind == PRIORITY);
}

static void enter(int packet, Piece piece, int is_last, double now_ms) {
  int member = member_for(piece, now_ms);
  Ring *ring = &rings[member];
  double begin_ms = ring->sent_ms > now_ms ? ring->sent_ms : now_ms;
  double arrived_ms = ring->sent_ms = last_bit_ms(member, piece, now_ms);
  Place *place = &ring->places[ring->tail & mask];
  *place = (Place){line.beside_wire ? begin_ms : arrived_ms, piece.units};
  if (ring->head == ring->tail) {
    ring->free_ms = place->free_ms;
    if (ring->free_ms < ring_free_ms) ring_free_ms = ring->free_ms;
  }
  ring->tail++;
  ring->used += piece.units;
  rings_with_room -= ring->used >= line.ring_limit;
  run_steps++;
  if (is_numbered(packet)) {
    if (in_order_ms > arrived_ms) arrived_ms = in_order_ms;
    in_order_ms = arrived_ms;
  }
  if (!is_last) return;
  packet_left(packet, arrived_ms);
  closed_left(packet, arrived_ms);
  packet_free(packet);
}

/* A packet that finds a free place: nothing waits, so it enters at once. */
void ring_enter(int packet, double now_ms) {
  const SizeKind *size = &line.sizes[line.packets[packet].size];
  if (size->piece_count == 1) {
    enter(packet, line.pieces[size->first_piece], 1, now_ms);
    return;
  }
  scheduler_cut(packet);
  ring_fill(now_ms);
}

void ring_fill(double now_ms) {
  Piece piece;
  int is_last;
  while (!ring_is_full()) {
    int packet = scheduler_take(now_ms, &piece, &is_last);
    if (packet == NOTHING) return;
    enter(packet, piece, is_last, now_ms);
  }
}

/* Fills the ring at the start, as if the LLQ had sent its part before. */
void ring_begin(void) {
  Piece piece;
  int is_last;
  while (!ring_is_full()) {
    int packet = scheduler_take(0, &piece, &is_last);
    if (packet == NOTHING) return;
    int is_lower = line.queues[line.flows[line.packets[packet].flow].queue].kind != PRIORITY;
    enter(packet, piece, is_last, 0);
    if (is_lower && is_last) scheduler_put_beside();
  }
}

/* The first place falls free. */
void ring_release(void) {
  double now_ms = ring_free_ms;
  Ring *ring = earliest();
  int was_full = ring->used >= line.ring_limit;
  ring->used -= ring->places[ring->head++ & mask].units;
  rings_with_room += was_full && ring->used < line.ring_limit;
  ring->free_ms = ring->head == ring->tail ? FAR_MS : ring->places[ring->head & mask].free_ms;
  ring_free_ms = earliest()->free_ms;
  ring_fill(now_ms);
}
