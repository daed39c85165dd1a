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

#define LAYERS 256
#define BASE_WIDTH 7.69711747013104972 /* of the lowest layer; beyond it the density has no layer */
#define AREA 0.0039496598225815571993  /* of each layer */
#define BASE_HEIGHT 4.5413435384149677e-4 /* exp(-BASE_WIDTH) */

double exponential_width[LAYERS + 1];
static double exponential_height[LAYERS + 1];

void random_allocate(void) {
  if (exponential_width[0] > 0) return;
  exponential_width[0] = AREA / BASE_HEIGHT;
  exponential_width[1] = BASE_WIDTH;
  exponential_height[1] = BASE_HEIGHT;
  for (int layer = 2; layer < LAYERS; layer++) {
    exponential_height[layer] =
        exponential_height[layer - 1] + AREA / exponential_width[layer - 1];
    exponential_width[layer] = -natural_log(exponential_height[layer]);
  }
  exponential_height[LAYERS] = 1; /* of no width */
}

/* A value at the edge of its layer, where the density is not all over the layer; the tail beyond the
 * lowest one is exponential again. */
double random_exponential_at_edge(int layer, double value) {
  if (layer == 0) return BASE_WIDTH + random_exponential();
  double low = exponential_height[layer], high = exponential_height[layer + 1];
  double height = low + (high - low) * (1 - random_unit());
  return -natural_log(height) > value ? value : random_exponential();
}
