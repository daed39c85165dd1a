#include "tcp.h"

static const double FIRST_RTO_MS = 1000, LARGEST_RTO_MS = 60000; /* RFC 6298, 2.1 and 2.5 */
static const double LEAST_THRESHOLD = 2;                         /* RFC 5681, equation 4 */
static const double SMOOTHED_GAIN = 1.0 / 8, VARIATION_GAIN = 1.0 / 4; /* RFC 6298, 2.3 */
enum {
  DUPLICATES_FOR_RETRANSMIT = 3, /* RFC 5681, 3.2 */
  BEYOND_WINDOW = 3,             /* limited transmit sends two, and numbers end one above */
};

static double larger(double first, double second) { return first > second ? first : second; }
static double smaller(double first, double second) { return first < second ? first : second; }

void tcp_allocate(Tcp *tcp, const TcpSettings *settings) {
  int slots = 8;
  while (slots < settings->receiver_window + BEYOND_WINDOW) slots *= 2;
  tcp->settings = settings;
  tcp->mask = slots - 1;
  tcp->sent_ms = TAKE(double, slots);
  tcp->received = TAKE(unsigned char, slots);
}

void tcp_connect(Tcp *tcp) {
  tcp->connection++;
  tcp->window = tcp->settings->initial_window;
  tcp->threshold = FAR_MS;
  tcp->unacknowledged = tcp->next = tcp->highest_sent = 0;
  tcp->duplicates = tcp->recovering = tcp->recover = tcp->timed_from = 0;
  tcp->smoothed_ms = -1;
  tcp->rto_ms = FIRST_RTO_MS;
  tcp->timeout_at_ms = FAR_MS;
  tcp->expected = 0;
  for (int slot = 0; slot <= tcp->mask; slot++) tcp->received[slot] = 0;
}

int tcp_is_finished(const Tcp *tcp) {
  return tcp->settings->transfer && tcp->unacknowledged == tcp->settings->transfer;
}

int tcp_receive(Tcp *tcp, int number) {
  if (number == tcp->expected) {
    tcp->expected++;
    while (tcp->received[tcp->expected & tcp->mask]) {
      tcp->received[tcp->expected & tcp->mask] = 0;
      tcp->expected++;
    }
  } else if (number > tcp->expected) {
    tcp->received[number & tcp->mask] = 1;
  }
  return tcp->expected;
}

static void send_one(Tcp *tcp, int number, double now_ms) {
  if (number >= tcp->highest_sent) {
    tcp->highest_sent = number + 1;
    tcp->sent_ms[number & tcp->mask] = now_ms;
  } else {
    /* an acknowledgement of what is in flight may from now on have waited for this repeat */
    tcp->timed_from = tcp->highest_sent;
  }
  if (tcp->timeout_at_ms == FAR_MS) tcp->timeout_at_ms = now_ms + tcp->rto_ms;
  tcp_transmit(tcp, number, now_ms);
}

void tcp_send(Tcp *tcp, double now_ms, int beyond_window) {
  int window = (int)smaller(tcp->window, tcp->settings->receiver_window);
  int end = tcp->unacknowledged + window + beyond_window;
  int transfer = tcp->settings->transfer;
  if (transfer && end > transfer) end = transfer;
  while (tcp->next < end) send_one(tcp, tcp->next++, now_ms);
}

static void resend_first(Tcp *tcp, double now_ms) {
  send_one(tcp, tcp->unacknowledged, now_ms);
  if (tcp->next <= tcp->unacknowledged) tcp->next = tcp->unacknowledged + 1;
}

static void measure(Tcp *tcp, double round_trip_ms) {
  if (tcp->smoothed_ms < 0) {
    tcp->smoothed_ms = round_trip_ms;
    tcp->variation_ms = round_trip_ms / 2;
    return;
  }
  double off_ms = larger(tcp->smoothed_ms - round_trip_ms, round_trip_ms - tcp->smoothed_ms);
  tcp->variation_ms += VARIATION_GAIN * (off_ms - tcp->variation_ms);
  tcp->smoothed_ms += SMOOTHED_GAIN * (round_trip_ms - tcp->smoothed_ms);
}

static void halve(Tcp *tcp) {
  tcp->threshold = larger((tcp->next - tcp->unacknowledged) / 2.0, LEAST_THRESHOLD);
  tcp->recover = tcp->highest_sent;
}

static void progress(Tcp *tcp, int number, double now_ms) {
  int newly_acknowledged = number - tcp->unacknowledged;
  if (number - 1 >= tcp->timed_from) measure(tcp, now_ms - tcp->sent_ms[(number - 1) & tcp->mask]);
  tcp->rto_ms = FIRST_RTO_MS; /* also ends the doubling */
  if (tcp->smoothed_ms >= 0) {
    double estimate_ms = tcp->smoothed_ms + 4 * tcp->variation_ms;
    tcp->rto_ms = smaller(LARGEST_RTO_MS, larger(tcp->settings->minimum_rto_ms, estimate_ms));
  }
  tcp->unacknowledged = number;
  if (tcp->next < number) tcp->next = number;
  tcp->timeout_at_ms = tcp->highest_sent > number ? now_ms + tcp->rto_ms : FAR_MS;
  tcp->duplicates = 0;
  double *window = &tcp->window;
  if (tcp->recovering && number < tcp->recover) { /* a partial acknowledgement */
    *window = larger(1.0, *window - newly_acknowledged + 1);
    resend_first(tcp, now_ms);
  } else if (tcp->recovering) {
    tcp->recovering = 0;
    *window = tcp->threshold;
  } else {
    *window += *window < tcp->threshold ? 1.0 : 1.0 / *window;
  }
  tcp_send(tcp, now_ms, 0);
}

static void duplicate(Tcp *tcp, double now_ms) {
  if (tcp->recovering) {
    tcp->window += 1;
    tcp_send(tcp, now_ms, 0);
    return;
  }
  tcp->duplicates++;
  if (tcp->duplicates < DUPLICATES_FOR_RETRANSMIT) {
    if (tcp->settings->limited_transmit) tcp_send(tcp, now_ms, tcp->duplicates);
    return;
  }
  /* duplicates of packets that a timeout repeated show no loss (RFC 6582, 3.2) */
  if (tcp->duplicates > DUPLICATES_FOR_RETRANSMIT || tcp->unacknowledged < tcp->recover) return;
  halve(tcp);
  tcp->recovering = 1;
  tcp->window = tcp->threshold + DUPLICATES_FOR_RETRANSMIT;
  tcp->timeout_at_ms = now_ms + tcp->rto_ms;
  resend_first(tcp, now_ms);
  tcp_send(tcp, now_ms, 0);
}

void tcp_acknowledged(Tcp *tcp, int number, double now_ms) {
  if (number > tcp->unacknowledged) {
    progress(tcp, number, now_ms);
  } else if (number == tcp->unacknowledged && tcp->highest_sent > number) {
    duplicate(tcp, now_ms);
  }
}

void tcp_time_out(Tcp *tcp, double now_ms) {
  halve(tcp);
  tcp->timeouts++;
  tcp->recovering = tcp->duplicates = 0;
  tcp->window = 1;
  tcp->rto_ms = smaller(LARGEST_RTO_MS, 2 * tcp->rto_ms);
  tcp->next = tcp->unacknowledged;
  tcp->timeout_at_ms = FAR_MS;
  tcp_send(tcp, now_ms, 0);
}
