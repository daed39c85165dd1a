/* An arena: arrays that live as long as an interface is solved. */
#ifndef MEMORY_H
#define MEMORY_H

typedef __SIZE_TYPE__ Size;

void *arena_reset(Size kept_bytes); /* all is free but so many at its begin, which hold their values */
void *arena_take(Size item_bytes, double count); /* zeroed; traps if memory ends */

#define TAKE(type, count) ((type *)arena_take(sizeof(type), (count)))

/* The least power of two that is not below `least`, for rings of places; what no memory has ends the
 * run when it is taken. */
int power_of_two(double least);

#endif
