/* public.h - facts about predictions that were held against measured rows (results_schema/facts/40_measured.sql).
 * Units      shares, but for errors of sets and peers, which are in %. NaN is stored as NULL.
 * Errors     as in store.h. */
#ifndef NARROWS_HARNESS_STORE_MEASURED_PUBLIC_H
#define NARROWS_HARNESS_STORE_MEASURED_PUBLIC_H

#include <stddef.h>
#include <stdint.h>

struct store;

struct measured_set_fact {
    const char *name;
    double mean, median, p95;
};
struct measured_peer_fact {
    const char *set, *name, *source;
    double mean, median, p95;
};
struct measured_row_fact {
    const char *key, *set, *kind, *unit, *baseline, *reason; /* baseline NULL: none */
    double measured, spread, predicted, closed_form;
};
struct measured_fit_fact {
    const char *constant, *group;
    double value, off;
    size_t nrows, nconstants;
};
struct measured_without_fact {
    const char *constants, *group, *left, *set;
    double mean;
};
struct measured_fact {
    const char *source, *closed_form;
    double baseline_least;
    const struct measured_set_fact *sets;
    const struct measured_peer_fact *peers;
    const struct measured_row_fact *rows;
    const struct measured_fit_fact *fits;
    const struct measured_without_fact *without;
    size_t nsets, npeers, nrows, nfits, nwithout;
};

/* All of it in one transaction. */
int store_measured(struct store *s, int64_t run_id, const struct measured_fact *f);

#endif
