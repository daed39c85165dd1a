/* WRED of a queue: the average queue size that arrivals keep, and the random drops it makes. */
#ifndef RED_H
#define RED_H

/* Sums over the arrivals since `red_measure`. */
typedef struct { double samples, averages, squares, above_max; } RedSeen;

void red_allocate(void);
void red_read(void); /* of each queue: weight, decay; of each flow: its profile */
void red_start(void);
void red_emptied(int queue, double now_ms);
int red_drops(int flow, double now_ms); /* takes an arrival into the average and draws */
void red_measure(void);
RedSeen red_seen(int queue);
double red_dropped(int flow);

#endif
