/* The transmit ring: a FIFO, so the last bit of a piece is known when it enters. Its place falls
 * free then, or when it begins to be sent where the packet on the wire has left the ring. */
#include "closed_loop.h"
#include "kernel.h"

typedef struct { double free_ms; int units; } Place;

double ring_free_ms;
static Place *places;
static int mask, head, tail, used;
static double sent_ms; /* when everything in the ring has been sent */

void ring_allocate(void) {
  int count = 4;
  while (count < line.ring_limit + 2) count *= 2;
  places = TAKE(Place, count);
  mask = count - 1;
}

void ring_start(void) {
  head = tail = used = 0;
  sent_ms = 0;
  ring_free_ms = FAR_MS;
}

int ring_is_full(void) { return used >= line.ring_limit; }

static void enter(int packet, Piece piece, int is_last, double now_ms) {
  double begin_ms = sent_ms > now_ms ? sent_ms : now_ms;
  sent_ms = begin_ms + piece.time_ms;
  places[tail & mask] = (Place){line.beside_wire ? begin_ms : sent_ms, piece.units};
  if (head == tail) ring_free_ms = places[tail & mask].free_ms;
  tail++;
  used += piece.units;
  run_steps++;
  if (!is_last) return;
  packet_left(packet, sent_ms);
  closed_left(packet, sent_ms);
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
  while (used < line.ring_limit) {
    int packet = scheduler_take(now_ms, &piece, &is_last);
    if (packet == NOTHING) return;
    enter(packet, piece, is_last, now_ms);
  }
}

/* The first place falls free. */
void ring_release(void) {
  double now_ms = ring_free_ms;
  used -= places[head++ & mask].units;
  ring_free_ms = head == tail ? FAR_MS : places[head & mask].free_ms;
  ring_fill(now_ms);
}
