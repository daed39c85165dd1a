/* The kernel: one output interface, packet by packet.
 *
 *   sources.c      when the next packet of a flow comes            (arrivals, sizes)
 *   admission.c    policer and tail drop                           (may it wait?)
 *   scheduler.c    which packet, or fragment of one, goes next     (LLQ levels, fragments, SCFQ)
 *   sharing.c      how queues below the priority queues share the wire (SCFQ, minimum rates, shapers)
 *   bucket.c       token buckets of shapers and `police` statements
 *   fair_queue.c   conversations inside a queue
 *   ring.c         the transmit rings and the wires behind them
 *   measure.c      delays of delivered packets
 *   red.c          WRED: average queue and random drops
 *   closed_loop.c  TCP flows around the interface                  (tcp.c: one sender)
 *   closed_run.c   replications with TCP, by time, and what they count
 *   run.c          replications: start, warm up, measure, go on until the means are known
 *   interface.c    reads the numbers that `advisor.theory.kernel` lays out
 *
 * A flow is one class of traffic, a queue is a software queue. Everything lies in arrays that are
 * taken once from an arena (memory.c), so a packet costs no allocation. A packet is an index into
 * `packets`, and queues are lists of them. Times are in ms, and a time of FAR_MS is never.
 *
 * The loop (`run.c`) knows three events: the next arrival of the sources, the place of the ring that
 * falls free next, and the tokens that a shaper waits for. The scheduler is asked only when a place
 * is free.
 *
 * To add
 *   a source:     a member of ArrivalKind, its start and its step in sources.c;
 *                 a closed loop (TCP) also learns of `packet_left` and `packet_dropped`;
 *   a drop rule:  a test in admission.c before the tail drop (WRED);
 *   a discipline: a member of QueueKind, its put and take in scheduler.c;
 */
#ifndef KERNEL_H
#define KERNEL_H

#include "bucket.h"
#include "memory.h"
#include "random.h"

#define FAR_MS 1e300
#define NOTHING (-1)

typedef enum { PERIODIC, POISSON, BURSTS, ON_OFF, SATURATED, CLOSED } ArrivalKind;
typedef enum { PRIORITY, SHARED } QueueKind;
typedef enum { PROPORTIONAL, UNRESERVED_FIRST, EQUAL } Excess;

typedef struct { double time_ms; int units; } Piece;

/* Packets of a flow that are alike; an alias table draws them (Walker 1977). */
typedef struct {
  double frame_bytes, tag_length; /* the length: over the weight of their queue */
  double police_bits, queue_shaper_bits, line_shaper_bits; /* as each of them counts */
  int first_piece, piece_count;
  double threshold, time_ms;
  int alias;
} SizeKind;

typedef struct {
  double arrival_ms;
  int next;          /* in its queue */
  int flow, size;    /* size: index into `sizes` */
  int stream, conversation;
  int connection, number; /* of TCP */
} Packet;

typedef struct { int head, tail; } List;

typedef struct {
  List waiting;
  int count;
  double tag;        /* finish tag of its head, or of its last packet */
  uint64_t turn;     /* when that packet became the head: of equal tags the first goes first */
  unsigned era;      /* tags of an earlier busy period of the queue count as 0 */
} Conversation;

typedef struct {
  QueueKind kind;
  int level;         /* of a priority queue: 0 is served first */
  double weight;
  int limit, count;
  int early_count;   /* packets that it held, or a ring took, when the replication began */
  double early_per_ms; /* and how often they came */
  double held_ms, changed_ms; /* packets times ms, and until when */
  List waiting;      /* shared, without conversations */
  double tag;        /* finish tag of the packet served last */
  double bytes_per_ms, burst_bytes, tokens, filled_ms; /* policer; no burst: none */
  Bucket police, shaper;
  double offered_per_ms, offered_bytes_per_ms, offered_police_bits_per_ms; /* of open sources */
  double guaranteed_bits_per_ms, due_ms; /* minimum rate; it goes first when it is due */
  int is_held;       /* its shaper lacked the tokens of its head */
  int conversation_limit; /* 0: one FIFO */
  int drops_worst;   /* above its limit: not the arrival, but the packet of the largest tag */
  int *heap;         /* conversations with packets, by tag */
  int heap_count;
  double conversation_tag;
  unsigned era;
} Queue;

typedef struct {
  ArrivalKind kind;
  int queue;
  double rate_per_ms, second, third; /* of all streams; see sources.c */
  double packets_per_ms; /* of all streams; 0: a source that answers to the line */
  int streams, conversations;
  int first_stream, first_conversation; /* of the interface's */
  int first_phase;                      /* of those of periodic streams, the longest packets first */
  double mean_ms;                       /* time of a packet on the wire */
  int first_size, size_count;
  double precedence_weight;  /* of its conversations */
  int waiting_at_start;      /* and exponential packets of this mean: */
  double mean_at_start, gap_at_start_ms;
  int waits;         /* of both, in this replication */
  double beside;     /* parts of a packet of the LLQ that come with those that fill the ring */
  int put_count;     /* packets of a source that never empties that have been put */
  double target;     /* relative half-width of its mean that ends the run; 0: none */
} Flow;

typedef struct {
  int queue_count, flow_count, stream_count, conversation_count;
  int ring_limit, beside_wire, longest_level;
  int member_count, is_interleaved;
  double *slowness;  /* of each member: the rate of the line over its own */
  int is_shaped;     /* the line or a queue: packets may wait beside a ring that has room */
  Excess excess;
  Bucket shaper;
  Queue *queues;
  Flow *flows;
  SizeKind *sizes;
  double load;       /* of the wire, of open sources together */
  int has_backlog;   /* a source that never empties */
  Piece *pieces;
  Packet *packets;
  Conversation *conversations;
  int free_packet, fresh_packet; /* none from the fresh one on has been used */
} Interface;

extern Interface line;

/* Bits of a number that is not negative, in the order of such numbers: the least of some is found
 * without branches, which nobody can predict. */
static inline uint64_t order_of(double value) {
  union { double number; uint64_t bits; } parts = {value};
  return parts.bits;
}

/* interface.c */
double interface_number(void); /* the next of the numbers */
int interface_read(const double *numbers);

/* sources.c: `next_ms[flow]` is the arrival of the next packet of each flow */
extern double *next_ms;
void sources_allocate(void);
void sources_start(int replication);
void source_step(int flow, int *stream);

/* admission.c */
typedef enum { PASSED, POLICED, TAIL_DROPPED } Verdict;
int is_policed(int flow, int size, double now_ms);
Verdict admission(int flow, int size, int conversation, double now_ms);

/* sharing.c */
void sharing_allocate(void);
void sharing_start(void);
void sharing_put(Queue *queue, int packet, double now_ms);
Queue *sharing_next(double now_ms, int *is_due);
int sharing_is_behind(const Queue *own, double now_ms);
int sharing_take(Queue *queue, int is_due);
int sharing_take_worst(Queue *queue);
void sharing_settle(Queue *taken);

/* scheduler.c */
extern double scheduler_wake_ms; /* when the tokens are there that the scheduler waits for */
int scheduler_goes_straight(int number, double now_ms);
int packet_new(int flow, int stream, double now_ms);
void packet_free(int packet);
void scheduler_allocate(void);
void scheduler_start(int replication);
int scheduler_top_up(void);
void scheduler_put_beside(void);
void scheduler_date(void);
void scheduler_put(int packet, double now_ms);
void queue_tell(Queue *queue, double now_ms); /* before its count changes, or is read */
int scheduler_take(double now_ms, Piece *piece, int *is_last);
void scheduler_cut(int packet);
void list_put(List *list, int packet);
int list_take(List *list);

/* fair_queue.c */
void conversation_put(Queue *queue, int packet);
int conversation_head(const Queue *queue);
int conversation_take(Queue *queue);
int conversation_take_worst(Queue *queue);
void conversations_forget(Queue *queue);

/* ring.c */
extern double ring_free_ms; /* when the next place falls free */
void ring_allocate(void);
void ring_start(void);
int ring_is_full(void);
void ring_enter(int packet, double now_ms);
void ring_release(void);
void ring_begin(void);
void ring_fill(double now_ms);

/* measure.c */
void measure_allocate(void);
void measure_forget(void); /* all replications */
void measure_start(void);
void measure_begin(double now_ms);
void measure_halve(void);
void measure_end(double now_ms);
void packet_left(int packet, double sent_ms);
void packet_dropped(int flow, Verdict verdict);
void packet_offered(int packet);
int means_are_known(double targets);
int means_move(void);
int results_write(double *out);

/* run.c */
extern long run_steps;
extern double *results;
/* Lay out the interface that `room` numbers describe, from one of them on, and its results. */
void run_read(int room, int from, int more_results);
void run_begin(int replication, double start_within_ms);
double run_on(long steps, double until_ms); /* some steps, or until a time; when the last was */

#endif
