#include "memory.h"

#define PAGE_BYTES 65536
#define MOST_BYTES 5e8 /* of one array */

extern unsigned char __heap_base;
static Size used;

int power_of_two(double least) {
  int power = 4;
  while (power < least && power < 1 << 30) power *= 2;
  return power;
}


static void *next(Size bytes) {
  Size begin = (used + 15) & ~(Size)15, end = begin + bytes;
  Size held = __builtin_wasm_memory_size(0) * PAGE_BYTES;
  if (end > held &&
      __builtin_wasm_memory_grow(0, (end - held + PAGE_BYTES - 1) / PAGE_BYTES) == (Size)-1)
    __builtin_trap();
  used = end;
  return (void *)begin;
}

void *arena_reset(Size kept_bytes) {
  used = (Size)&__heap_base;
  return next(kept_bytes);
}

void *arena_take(Size item_bytes, double count) {
  if (item_bytes * count > MOST_BYTES) __builtin_trap();
  Size bytes = item_bytes * (Size)count;
  return __builtin_memset(next(bytes), 0, bytes);
}
