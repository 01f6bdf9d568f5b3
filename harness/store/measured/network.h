/* network.h - what was measured of a network, as facts: see results_schema/facts/38_network.sql. Units are in the
 * names. */
#ifndef NARROWS_HARNESS_STORE_MEASURED_NETWORK_H
#define NARROWS_HARNESS_STORE_MEASURED_NETWORK_H

#include "harness/store/store.h"

struct network_rank_fact {
    const char *host;
    int member; /* -1: none */
    int64_t offset_before_ns, offset_after_ns, error_ns;
};
struct network_setting_fact {
    const char *name, *value;
};
struct network_sample_fact {
    const char *pattern;
    int64_t ranks, peer, bytes, message_bytes, flow, repetition, elapsed_ns, wrong;
};
struct network_fact {
    const struct network_rank_fact *ranks;
    size_t nranks;
    const struct network_setting_fact *settings;
    size_t nsettings;
    const struct network_sample_fact *samples;
    size_t nsamples;
};
int store_network(struct store *s, int64_t run_id, const struct network_fact *f); /* one transaction */

#endif
