/* rows.h - what was measured as rows: one for each size of each pattern. Printed as tables, CSV or JSON.
 * Units      nanoseconds, bytes, bytes per second. */
#ifndef NARROWS_HARNESS_NETWORK_ROWS_H
#define NARROWS_HARNESS_NETWORK_ROWS_H

#include <stdio.h>

#include "harness/network/measure.h"

struct network_row {
    enum pattern pattern;
    int ranks, flows, peer; /* ranks: that take part */
    int64_t bytes, message_bytes, count;
    size_t repetitions;
    struct timed_summary time;
    double alpha_s;            /* NaN but for single messages */
    double Bps, bus_Bps;       /* of each flow, or as collective.h has it; NaN where nothing was carried */
    double slow_Bps, fast_Bps; /* streams: of the slowest and the fastest flow */
    double spread;             /* streams: between the last two rates */
    bool stable;               /* streams */
    int64_t wrong;
};

/* Calls visit() with each row. Of a stream that is the trial that gave its rate. */
void network_rows(const struct network_result *r, const struct transport *by,
                  void (*visit)(void *context, const struct network_row *row), void *context);

/* What the tables' heads and notes name. */
struct network_heading {
    const struct network_result *result;
    const struct transport *by;
    struct network_skew skew;
    int hosts;
    const char *library, *first, *second; /* machines of members 0 and 1 */
};
int network_print(const struct network_heading *h, FILE *out); /* NW_ENOMEM */
void network_print_csv(const struct network_heading *h, FILE *out);
void network_print_json(const struct network_heading *h, FILE *out);

#endif
