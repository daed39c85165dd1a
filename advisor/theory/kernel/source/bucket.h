/* Token buckets of shapers and of `police` statements: docs/simulation.md, "Shapers". */
#ifndef BUCKET_H
#define BUCKET_H

/* No depth: no bucket. An interval of 0 fills it as time goes. */
typedef struct {
  double bits_per_ms, depth_bits, interval_ms;
  double tokens, filled_ms; /* filled_ms: with an interval, when the next Bc comes */
  int is_held;              /* a packet waits for tokens */
} Bucket;

static inline int bucket_exists(const Bucket *bucket) { return bucket->depth_bits > 0; }
void bucket_read(Bucket *bucket, const double *numbers);
void bucket_start(Bucket *bucket);
/* Whether the tokens of a packet are there: one that does not wait for them is dropped. */
int bucket_has(Bucket *bucket, double bits, double now_ms);
/* The same of a packet that waits for them if they are not. */
int bucket_covers(Bucket *bucket, double bits, double now_ms);
/* A packet passes that was not held back; another may still be. */
void bucket_take(Bucket *bucket, double bits);
/* The one that waited first passes. */
void bucket_release(Bucket *bucket, double bits);
double bucket_ready_ms(const Bucket *bucket, double bits);

#endif
