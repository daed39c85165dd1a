#include "random.h"

uint64_t random_state[4];

/* splitmix64 spreads a small seed over the state, as the authors of xoshiro advise. */
void random_seed(uint64_t seed) {
  for (int word = 0; word < 4; word++) {
    seed += 0x9e3779b97f4a7c15u;
    uint64_t mixed = seed;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    random_state[word] = mixed ^ (mixed >> 31);
  }
}

/* log(m 2^e) = e log 2 + 2 atanh((m - 1) / (m + 1)) with m in [sqrt(1/2), sqrt(2)); the series of
 * atanh ends where its terms are below 1e-12. */
double natural_log(double value) {
  union { double number; uint64_t bits; } parts = {value};
  int exponent = (int)(parts.bits >> 52) - 1023;
  parts.bits = (parts.bits & 0xfffffffffffffu) | 0x3ff0000000000000u;
  if (parts.number > 1.4142135623730951) {
    parts.number *= 0.5;
    exponent++;
  }
  double ratio = (parts.number - 1) / (parts.number + 1), square = ratio * ratio;
  double series = 1.0 / 13;
  series = series * square + 1.0 / 11;
  series = series * square + 1.0 / 9;
  series = series * square + 1.0 / 7;
  series = series * square + 1.0 / 5;
  series = series * square + 1.0 / 3;
  series = series * square + 1;
  return exponent * 0.6931471805599453 + 2 * ratio * series;
}
