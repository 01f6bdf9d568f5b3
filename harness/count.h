/* count.h - how many elements an array has. */
#ifndef NARROWS_HARNESS_COUNT_H
#define NARROWS_HARNESS_COUNT_H

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
