/* network.h - 'narrows calibrate network', once its arguments are read. */
#ifndef NARROWS_HARNESS_COMMAND_CALIBRATE_NETWORK_H
#define NARROWS_HARNESS_COMMAND_CALIBRATE_NETWORK_H

#include <stdbool.h>

#include "harness/network/rows.h"
#include "harness/network/world/world.h"

struct calibrate_network {
    struct network_options options;
    int64_t sizes[NETWORK_SIZES]; /* options.sizes, where some are given */
    const char *db, *output;      /* output: NULL for no file */
    const char *from;             /* path of a platform, or NULL */
    bool csv, json;
};

/* This process's part, as a rank of a world that was launched. A nw_status; the message printed. */
int calibrate_network(const struct calibrate_network *a);

/* The clocks of all ranks, before and after. */
struct calibrate_clocks {
    struct clock_offset *before, *after; /* [ranks] */
    int64_t before_ns, after_ns;         /* on rank 0's clock */
};

/* Every repetition, into the database, under a run of its own. */
int calibrate_store(const struct calibrate_network *a, const struct network_world *w, const struct network_result *r,
                    const struct calibrate_clocks *clocks);

#endif
