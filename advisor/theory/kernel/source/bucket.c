/* A bucket of Bc + Be bits gets Bc at the start of each Tc, or tokens as time goes. A packet passes
 * when its tokens, or the whole bucket, are there; a packet larger than the bucket leaves a debt. From
 * when a packet has to wait for them until it is sent, no tokens are lost: a shaper keeps its rate. */
#include "bucket.h"
#include "random.h"

#define ROUNDING_BITS 1e-6 /* of sums of floats: far below a bit */

static double needed(const Bucket *bucket, double bits) {
  return (bits < bucket->depth_bits ? bits : bucket->depth_bits) - ROUNDING_BITS;
}

void bucket_read(Bucket *bucket, const double *numbers) {
  bucket->bits_per_ms = numbers[0];
  bucket->depth_bits = numbers[1];
  bucket->interval_ms = numbers[2];
}

/* Full; the phase of the router's timer is not known. */
void bucket_start(Bucket *bucket) {
  bucket->tokens = bucket->depth_bits;
  bucket->is_held = 0;
  bucket->filled_ms = bucket->interval_ms * random_unit();
}

static void fill(Bucket *bucket, double now_ms) {
  if (bucket->interval_ms <= 0) {
    bucket->tokens += (now_ms - bucket->filled_ms) * bucket->bits_per_ms;
    bucket->filled_ms = now_ms;
  } else if (now_ms >= bucket->filled_ms) {
    double times = 1 + __builtin_floor((now_ms - bucket->filled_ms) / bucket->interval_ms);
    bucket->tokens += times * bucket->interval_ms * bucket->bits_per_ms;
    bucket->filled_ms += times * bucket->interval_ms;
  }
  if (!bucket->is_held && bucket->tokens > bucket->depth_bits) bucket->tokens = bucket->depth_bits;
}

int bucket_has(Bucket *bucket, double bits, double now_ms) {
  fill(bucket, now_ms);
  return bucket->tokens >= needed(bucket, bits);
}

int bucket_covers(Bucket *bucket, double bits, double now_ms) {
  int has = bucket_has(bucket, bits, now_ms);
  bucket->is_held |= !has; /* until it is sent: it may then wait for its turn */
  return has;
}

void bucket_take(Bucket *bucket, double bits) { bucket->tokens -= bits; }

void bucket_release(Bucket *bucket, double bits) {
  bucket_take(bucket, bits);
  bucket->is_held = 0;
}

/* When the tokens of a packet are there, if it has just been seen that they are not. */
double bucket_ready_ms(const Bucket *bucket, double bits) {
  double wait_ms = (needed(bucket, bits) + ROUNDING_BITS - bucket->tokens) / bucket->bits_per_ms;
  if (bucket->interval_ms <= 0) return bucket->filled_ms + wait_ms;
  double fills = __builtin_ceil(wait_ms / bucket->interval_ms - ROUNDING_BITS);
  return bucket->filled_ms + ((fills > 1 ? fills : 1) - 1) * bucket->interval_ms;
}
