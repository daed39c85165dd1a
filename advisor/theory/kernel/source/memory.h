/* An arena: arrays that live as long as an interface is solved. */
#ifndef MEMORY_H
#define MEMORY_H

typedef __SIZE_TYPE__ Size;

void arena_reset(void);
void *arena_take(Size item_bytes, double count); /* zeroed; traps if memory ends */

#define TAKE(type, count) ((type *)arena_take(sizeof(type), (count)))

#endif
