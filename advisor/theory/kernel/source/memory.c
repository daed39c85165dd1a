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

void arena_reset(void) { used = (Size)&__heap_base; }

void *arena_take(Size item_bytes, double count) {
  Size begin = (used + 15) & ~(Size)15;
  if (item_bytes * count > MOST_BYTES) __builtin_trap();
  Size bytes = item_bytes * (Size)count, end = begin + bytes;
  Size held = __builtin_wasm_memory_size(0) * PAGE_BYTES;
  if (end > held &&
      __builtin_wasm_memory_grow(0, (end - held + PAGE_BYTES - 1) / PAGE_BYTES) == (Size)-1)
    __builtin_trap();
  used = end;
  __builtin_memset((void *)begin, 0, bytes);
  return (void *)begin;
}
