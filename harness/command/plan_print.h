/* plan_print.h - a memory plan as people read it: layer by layer, then the pools and what waits. */
#ifndef NARROWS_HARNESS_COMMAND_PLAN_PRINT_H
#define NARROWS_HARNESS_COMMAND_PLAN_PRINT_H

#include <stdio.h>

#include "harness/run/planned.h"
#include "sim/memory/plan_play.h"

/* "822.1 MB": decimal, four figures at most. */
void plan_bytes_text(double bytes, char *text, size_t size);

/* 'point' is the one planned, of a file with 'npoints'. */
void plan_print(const struct planned *p, const struct point *point, size_t npoints, const struct plan_rows *rows,
                const struct plan_played *played, FILE *out);

#endif
