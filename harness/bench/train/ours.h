/* ours.h - narrows' side: a network trained as a scenario's point is trained. Where tensors are traced, the traces
 * of a turn go into a database before it ends (traces.h).
 * Errors     of side_work: not 0, with the reason in why[]. */
#ifndef NARROWS_HARNESS_BENCH_TRAIN_OURS_H
#define NARROWS_HARNESS_BENCH_TRAIN_OURS_H

#include <stdbool.h>

#include "harness/bench/train/network.h"
#include "harness/bench/train/side.h"
#include "harness/bench/train/traces.h"
#include "harness/training/record.h"

/* Of the process that trains; networks and threads are set before. */
struct ours {
    struct network parts[NETWORK_PARTS];
    size_t nparts;
    int threads;
    struct trainer *trainers[NETWORK_PARTS];
    struct training_record records[NETWORK_PARTS];
    struct traces traces;
    int64_t before; /* steps of the turns before this one */
};

/* For all parts. Harness status; the message has been printed. */
int ours_prepare(const struct network_kind *kind, const char *const *sets, size_t nsets, bool as_needed, int threads,
                 struct ours *out);
void ours_close(struct ours *o); /* accepts an all-zero one */

int64_t ours_samples(const struct ours *o); /* of a step: all workers' */
int64_t ours_parameters(const struct ours *o);
struct side_work ours_work(struct ours *prepared); /* *prepared must outlive the side's start */

#endif
