/* print.h - a memory plan as people read it: what waits and the pools, then layer by layer. */
#ifndef NARROWS_HARNESS_COMMAND_PLAN_PRINT_H
#define NARROWS_HARNESS_COMMAND_PLAN_PRINT_H

#include <stdbool.h>
#include <stdio.h>

#include "harness/run/point/planned.h"
#include "sim/plan/play.h"

enum { PLAN_BYTES = 32 };

/* "822.1 MB": decimal, four figures at most. */
const char *plan_bytes_text(double bytes, char text[PLAN_BYTES]);

/* The same as a text that lives until the end of the block. */
#define BYTES_TEXT(bytes) plan_bytes_text((double)(bytes), (char[PLAN_BYTES]){ "" })

/* Networks of more layers are printed layer by layer only on request. */
enum { PLAN_PRINT_LAYERS = 64 };

/* 'point' is the one planned, of a file with 'npoints'; 'layers': layer by layer however many there are. */
void plan_print(const struct planned *p, const struct point *point, size_t npoints, const struct plan_rows *rows,
                const struct plan_played *played, bool layers, FILE *out);

#endif
