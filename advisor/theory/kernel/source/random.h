/* xoshiro256++ 1.0 (D. Blackman, S. Vigna, ACM Trans. Math. Softw. 47, 2021), public domain. */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

void random_allocate(void); /* its tables, once */
void random_seed(uint64_t seed);
double natural_log(double value); /* of a normal number above 0 */

extern uint64_t random_state[4];

static inline uint64_t rotated(uint64_t value, int by) {
  return (value << by) | (value >> (64 - by));
}

static inline uint64_t random_bits(void) {
  uint64_t *state = random_state;
  uint64_t result = rotated(state[0] + state[3], 23) + state[0], shifted = state[1] << 17;
  state[2] ^= state[0];
  state[3] ^= state[1];
  state[1] ^= state[2];
  state[0] ^= state[3];
  state[2] ^= shifted;
  state[3] = rotated(state[3], 45);
  return result;
}

/* Uniform in [0, 1). */
static inline double random_unit(void) { return (double)(int64_t)(random_bits() >> 11) * 0x1p-53; }

/* Exponential of mean 1, by a ziggurat of 256 layers of equal area (G. Marsaglia, W. W. Tsang, J. Stat.
 * Softw. 5, 2000): hardly ever a logarithm. Layer i is `exponential_width[i]` wide. */
extern double exponential_width[257];
double random_exponential_at_edge(int layer, double value);

static inline double random_exponential(void) {
  uint64_t bits = random_bits();
  int layer = (int)(bits & 255);
  double value = (double)(int64_t)(bits >> 11) * 0x1p-53 * exponential_width[layer];
  return value < exponential_width[layer + 1] ? value : random_exponential_at_edge(layer, value);
}

/* Uniform from 0 to count - 1 (D. Lemire, ACM TOMACS 29, 2019, without the rejection). */
static inline int random_below(int count) {
  return (int)(((random_bits() >> 32) * (uint64_t)count) >> 32);
}

/* Numbers that fill (0, 1) evenly from one replication to the next: steps of the golden ratio. */
static inline double random_even(int replication) {
  double place = replication * 0.6180339887498949 + 0.5;
  return place - __builtin_floor(place);
}

#endif
