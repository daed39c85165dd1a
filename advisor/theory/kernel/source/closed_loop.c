#include "closed_loop.h"

#include "tcp.h"

static const double BEFORE_INTERFACE = 0.25; /* of the base round trip */
static const double EXTRA_MS = 1.0; /* U(0, 1 ms) before the interface: senders are not in step */

/* A packet on its way to the interface, or an acknowledgement on its way back. */
typedef struct { double at_ms; int member, connection, number; } Travel;

/* Of one flow, in order of time; a circle of mask + 1 places. */
typedef struct { Travel *places; unsigned head, tail, mask; } Path;

typedef struct {
  Tcp tcp; /* the first member: `tcp_transmit` is told of a Tcp */
  int flow, member;
  double last_ms; /* when its latest packet reaches the interface */
  double look_ms; /* when its timer is looked at next: the timer moves with every acknowledgement */
  int begins;     /* the look is the start of a connection */
} Sender;

typedef struct {
  TcpSettings settings;
  double base_ms;
  Sender *senders;
  Path there, back;
} Loop;

typedef struct { double at_ms; Sender *sender; } Look;

double closed_next_ms;
static Loop *loops; /* of each flow; without senders: no TCP */
static Look *looks; /* a heap */
static int look_count, look_capacity;
static Travel arrived;

/* --- paths --- */

static void path_widen(Path *path) {
  unsigned count = path->tail - path->head, size = path->mask + 1;
  Travel *places = TAKE(Travel, 2 * size);
  for (unsigned i = 0; i < count; i++) places[i] = path->places[(path->head + i) & path->mask];
  *path = (Path){places, 0, count, 2 * size - 1};
}

/* Packets of one flow may overtake each other by up to EXTRA_MS, those of one sender do not. */
static void path_put(Path *path, Travel travel) {
  if (path->tail - path->head > path->mask) path_widen(path);
  unsigned at = path->tail++;
  for (; at != path->head && path->places[(at - 1) & path->mask].at_ms > travel.at_ms; at--)
    path->places[at & path->mask] = path->places[(at - 1) & path->mask];
  path->places[at & path->mask] = travel;
}

static Travel path_take(Path *path) { return path->places[path->head++ & path->mask]; }

static double path_next_ms(const Path *path) {
  return path->head == path->tail ? FAR_MS : path->places[path->head & path->mask].at_ms;
}

/* --- timers --- */

static void look_put(Look look) {
  if (look_count == look_capacity) {
    Look *wider = TAKE(Look, 2 * look_capacity);
    for (int i = 0; i < look_count; i++) wider[i] = looks[i];
    looks = wider;
    look_capacity *= 2;
  }
  int at = look_count++;
  for (int parent; at > 0 && looks[parent = (at - 1) / 2].at_ms > look.at_ms; at = parent)
    looks[at] = looks[parent];
  looks[at] = look;
}

static Look look_take(void) {
  Look first = looks[0], moved = looks[--look_count];
  int at = 0;
  for (int child; (child = 2 * at + 1) < look_count; at = child) {
    if (child + 1 < look_count && looks[child + 1].at_ms < looks[child].at_ms) child++;
    if (looks[child].at_ms >= moved.at_ms) break;
    looks[at] = looks[child];
  }
  looks[at] = moved;
  return first;
}

static void look_at(Sender *sender, double at_ms) {
  sender->look_ms = at_ms;
  look_put((Look){at_ms, sender});
}

static void find_next(void) {
  double next = look_count ? looks[0].at_ms : FAR_MS;
  for (int flow = 0; flow < line.flow_count; flow++) {
    double back_ms = loops[flow].senders ? path_next_ms(&loops[flow].back) : FAR_MS;
    if (back_ms < next) next = back_ms;
  }
  closed_next_ms = next;
}

/* --- the loop --- */

void closed_allocate(void) {
  loops = TAKE(Loop, line.flow_count);
  look_capacity = 16;
  looks = TAKE(Look, look_capacity);
}

void closed_read(void) {
  for (int index = 0; index < line.flow_count; index++) {
    Loop *loop = &loops[index];
    int members = line.flows[index].streams;
    if (line.flows[index].kind != CLOSED) continue;
    loop->base_ms = interface_number();
    loop->settings.receiver_window = (int)interface_number();
    loop->settings.initial_window = (int)interface_number();
    loop->settings.transfer = (int)interface_number();
    loop->settings.limited_transmit = (int)interface_number();
    loop->settings.minimum_rto_ms = interface_number();
    loop->senders = TAKE(Sender, members);
    for (int member = 0; member < members; member++) {
      loop->senders[member].flow = index;
      loop->senders[member].member = member;
      tcp_allocate(&loop->senders[member].tcp, &loop->settings);
    }
    loop->there = (Path){TAKE(Travel, 64), 0, 0, 63};
    loop->back = (Path){TAKE(Travel, 64), 0, 0, 63};
  }
}

void closed_start(double within_ms) {
  look_count = 0;
  for (int flow = 0; flow < line.flow_count; flow++) {
    Loop *loop = &loops[flow];
    if (!loop->senders) continue;
    next_ms[flow] = FAR_MS;
    loop->there.head = loop->there.tail = loop->back.head = loop->back.tail = 0;
    for (int member = 0; member < line.flows[flow].streams; member++) {
      Sender *sender = &loop->senders[member];
      tcp_connect(&sender->tcp);
      sender->last_ms = sender->tcp.timeouts = 0;
      sender->begins = 1;
      look_at(sender, within_ms * random_unit());
    }
  }
  find_next();
}

void tcp_transmit(Tcp *tcp, int number, double now_ms) {
  Sender *sender = (Sender *)tcp;
  Loop *loop = &loops[sender->flow];
  double at_ms = now_ms + BEFORE_INTERFACE * loop->base_ms + EXTRA_MS * random_unit();
  if (at_ms < sender->last_ms) at_ms = sender->last_ms;
  sender->last_ms = at_ms;
  path_put(&loop->there, (Travel){at_ms, sender->member, tcp->connection, number});
  next_ms[sender->flow] = path_next_ms(&loop->there);
}

static void acknowledge(Loop *loop) {
  Travel travel = path_take(&loop->back);
  Sender *sender = &loop->senders[travel.member];
  if (travel.connection != sender->tcp.connection) return;
  tcp_acknowledged(&sender->tcp, travel.number, travel.at_ms);
  if (tcp_is_finished(&sender->tcp)) {
    tcp_connect(&sender->tcp);
    sender->begins = 1;
    look_at(sender, travel.at_ms + loop->base_ms);
  } else if (sender->tcp.timeout_at_ms < sender->look_ms) {
    look_at(sender, sender->tcp.timeout_at_ms);
  }
}

static void look(void) {
  Look due = look_take();
  Sender *sender = due.sender;
  if (due.at_ms != sender->look_ms) return; /* a later plan has replaced this one */
  sender->look_ms = FAR_MS;
  if (sender->begins) {
    sender->begins = 0;
    tcp_send(&sender->tcp, due.at_ms, 0);
  } else if (sender->tcp.timeout_at_ms <= due.at_ms) {
    tcp_time_out(&sender->tcp, due.at_ms);
  }
  if (sender->tcp.timeout_at_ms < FAR_MS) look_at(sender, sender->tcp.timeout_at_ms);
}

void closed_step(void) {
  double now_ms = closed_next_ms;
  if (look_count && looks[0].at_ms <= now_ms) {
    look();
  } else {
    int flow = 0;
    while (!loops[flow].senders || path_next_ms(&loops[flow].back) > now_ms) flow++;
    acknowledge(&loops[flow]);
  }
  find_next();
}

int closed_arrives(int flow) {
  arrived = path_take(&loops[flow].there);
  next_ms[flow] = path_next_ms(&loops[flow].there);
  return arrived.member;
}

void closed_number(int packet) {
  line.packets[packet].connection = arrived.connection;
  line.packets[packet].number = arrived.number;
}

/* The receiver is told when the packet enters the ring, which is a FIFO: in the order of arrival. */
void closed_left(int number, double sent_ms) {
  const Packet *packet = &line.packets[number];
  Loop *loop = &loops[packet->flow];
  if (!loop->senders) return;
  int member = packet->stream - line.flows[packet->flow].first_stream;
  Tcp *tcp = &loop->senders[member].tcp;
  if (packet->connection != tcp->connection) return;
  double back_ms = sent_ms + (1 - BEFORE_INTERFACE) * loop->base_ms;
  int expected = tcp_receive(tcp, packet->number);
  path_put(&loop->back, (Travel){back_ms, member, packet->connection, expected});
  if (back_ms < closed_next_ms) closed_next_ms = back_ms;
}

double closed_timeouts(int flow) {
  double timeouts = 0;
  for (int member = 0; loops[flow].senders && member < line.flows[flow].streams; member++)
    timeouts += loops[flow].senders[member].tcp.timeouts;
  return timeouts;
}
