/* The average queue size of S. Floyd and V. Jacobson, IEEE/ACM Trans. Networking 1 (1993) 397-413,
 * with one profile for each flow and without their count since the last drop, as in WRED. */
#include "red.h"

#include "kernel.h"

typedef struct {
  double weight;              /* 2^-n; 0: the queue has no WRED */
  double decay_per_ms;        /* of the logarithm of the average while the queue is empty */
  double average, idle_since_ms;
  double highest_max;         /* of the profiles of its flows */
  RedSeen seen;
} Red;

typedef struct {
  double min_threshold, max_threshold, denominator; /* denominator 0: no profile */
  double dropped;
} Profile;

static Red *reds;
static Profile *profiles;

/* exp of a number from -700 to 0: 2^n e^r with r within log(2)/2; the series of e^r ends where its
 * terms are below 1e-13. */
static double natural_exp(double value) {
  if (value < -700) return 0;
  int power = (int)(value * 1.4426950408889634 - 0.5);
  double rest = value - power * 0.6931471805599453, sum = 1;
  for (int term = 12; term > 0; term--) sum = 1 + sum * rest / term;
  union { uint64_t bits; double number; } scale = {(uint64_t)(power + 1023) << 52};
  return sum * scale.number;
}

void red_allocate(void) {
  reds = TAKE(Red, line.queue_count);
  profiles = TAKE(Profile, line.flow_count);
}

void red_read(void) {
  for (Red *red = reds; red < reds + line.queue_count; red++) {
    red->weight = interface_number();
    red->decay_per_ms = interface_number();
  }
  for (int flow = 0; flow < line.flow_count; flow++) {
    Profile *profile = &profiles[flow];
    Red *red = &reds[line.flows[flow].queue];
    profile->min_threshold = interface_number();
    profile->max_threshold = interface_number();
    profile->denominator = interface_number();
    if (profile->max_threshold > red->highest_max) red->highest_max = profile->max_threshold;
  }
}

void red_start(void) {
  for (Red *red = reds; red < reds + line.queue_count; red++)
    red->average = red->idle_since_ms = 0;
}

void red_emptied(int queue, double now_ms) { reds[queue].idle_since_ms = now_ms; }

void red_measure(void) {
  for (Red *red = reds; red < reds + line.queue_count; red++)
    red->seen = (RedSeen){0};
  for (int flow = 0; flow < line.flow_count; flow++) profiles[flow].dropped = 0;
}

RedSeen red_seen(int queue) { return reds[queue].seen; }

double red_dropped(int flow) { return profiles[flow].dropped; }

static int draw(const Red *red, const Profile *profile) {
  double excess = red->average - profile->min_threshold;
  if (excess < 0) return 0;
  if (red->average >= profile->max_threshold) return 1;
  double width = profile->max_threshold - profile->min_threshold;
  return random_unit() * width * profile->denominator < excess;
}

int red_drops(int flow, double now_ms) {
  int queue = line.flows[flow].queue, waiting = line.queues[queue].count;
  Red *red = &reds[queue];
  Profile *profile = &profiles[flow];
  if (red->weight <= 0 || profile->denominator <= 0) return 0;
  if (waiting) {
    red->average += red->weight * (waiting - red->average);
  } else {
    red->average *= natural_exp(-red->decay_per_ms * (now_ms - red->idle_since_ms));
    red->idle_since_ms = now_ms;
  }
  red->seen.samples++;
  red->seen.averages += red->average;
  red->seen.squares += red->average * red->average;
  red->seen.above_max += red->average >= red->highest_max;
  int is_dropped = draw(red, profile);
  profile->dropped += is_dropped;
  return is_dropped;
}
