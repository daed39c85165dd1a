/* TCP flows around the interface: what they send reaches it after a quarter of their base round
 * trip, and acknowledgements come back over the rest, which no queue delays and no drop loses. */
#ifndef CLOSED_LOOP_H
#define CLOSED_LOOP_H

extern double closed_next_ms; /* the next acknowledgement, timer or start */

void closed_allocate(void);
void closed_read(void); /* the settings of each flow of kind CLOSED */
void closed_start(double within_ms); /* all members start within this time */
void closed_step(void);              /* what is due at `closed_next_ms` happens */
int closed_arrives(int flow);        /* the member whose packet reaches the interface */
void closed_number(int packet);      /* marks the packet that `closed_arrives` told of */
void closed_left(int packet, double sent_ms);
double closed_timeouts(int flow);

#endif
