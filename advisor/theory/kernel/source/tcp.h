/* TCP flows, counted in packets: NewReno without SACK (RFC 6582), timers of RFC 6298, go-back-N
 * after a timeout, one acknowledgement for each packet. Knows no line: times and losses come from
 * outside, and what a connection sends goes to `tcp_transmit`, which is closed_loop.c's. */
#ifndef TCP_H
#define TCP_H

#include "kernel.h"

/* What the connections of one flow of traffic have in common. */
typedef struct {
  int receiver_window, initial_window; /* packets */
  int transfer;                        /* packets of one connection; 0: always something to send */
  int limited_transmit;                /* RFC 3042 */
  double minimum_rto_ms;
} TcpSettings;

typedef struct {
  const TcpSettings *settings;
  int connection;                      /* counts those that a sender has made one after the other */
  /* the sender */
  double window, threshold;            /* packets */
  int unacknowledged, next, highest_sent; /* packet numbers; highest_sent: one above the highest */
  int duplicates, recovering, recover;
  double smoothed_ms, variation_ms, rto_ms; /* smoothed_ms below 0: no round trip measured yet */
  double timeout_at_ms;                /* FAR_MS: nothing is in flight */
  int timed_from;                      /* packets below may not measure a round trip (Karn) */
  double *sent_ms;                     /* of packet number & mask */
  /* the receiver */
  int expected;
  unsigned char *received;             /* of packet number & mask, above `expected` */
  int mask;
  int timeouts;
} Tcp;

void tcp_allocate(Tcp *tcp, const TcpSettings *settings);
void tcp_connect(Tcp *tcp); /* a new connection, whose state is fresh */
void tcp_send(Tcp *tcp, double now_ms, int beyond_window);
int tcp_receive(Tcp *tcp, int number); /* gives the acknowledgement */
void tcp_acknowledged(Tcp *tcp, int number, double now_ms);
void tcp_time_out(Tcp *tcp, double now_ms);
int tcp_is_finished(const Tcp *tcp);

/* closed_loop.c */
void tcp_transmit(Tcp *tcp, int number, double now_ms);

#endif
