/* plans.h - small networks, and memory plans of them in every variation that changes what is where when. */
#ifndef NARROWS_TESTS_EXECUTOR_PLANS_H
#define NARROWS_TESTS_EXECUTOR_PLANS_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/executor/executor.h"
#include "harness/executor/internal.h"
#include "tests/model/graph/graph_nets.h"
#include "tests/offload/lazy_backend.h"

struct model plans_plain(void);    /* convolutions, pools of both kinds, dropout, fully-connected layers; 16 x 16 */
struct model plans_residual(void); /* batch norms, identity and projection shortcuts, strided ones too; 16 x 16 */

struct variation {
    int64_t patches, columns; /* along the height, along the width; columns 0: as many */
    double depth, wiggle;     /* of the split; depth 0: 0.6 */
    enum generated generated;
    bool in_place, share_sums, recompute_norm;
    enum schedule schedule;
    enum placement_method placement;
    double limit;
    int64_t keep_last;
    int64_t workspace_factor;
};

/* False if there is no such plan: what cannot be recomputed, a network that cannot be split like this. Fails the test
 * on anything else. */
bool plans_make(const struct model *m, const struct variation *v, int64_t batch, struct memory_plan *out);

/* A link that is neither always early nor always late for such networks; operations last some 100 us. */
const struct platform *plans_platform(void);

/* Numbers 0 .. plans_variations() - 1. */
size_t plans_variations(void);
struct variation plans_variation(size_t number);
const char *plans_name(const struct variation *v); /* valid until the next call */

/* Run 'steps' on a back end without threads (NMODES: on threads); fails the test if it cannot be run. */
struct ran {
    int64_t errors;
    struct executor_error first;
    float loss;
    uint64_t gradients;
    int64_t to_host_bytes, peak_bytes;
};
bool plans_can_compute(const struct memory_plan *plan); /* REAL refuses some networks; says nothing */
/* What the plan moves each way, in whole granules as stamps have it. */
int64_t plans_moved_bytes(const struct memory_plan *plan);

/* Does REAL run it, as far as its areas keep apart? If not, 'why' (of 512 bytes) says what meets. */
bool plans_apart(const struct memory_plan *plan, char *why);
struct ran plans_run(const struct memory_plan *plan, enum executor_content content, enum lazy_mode mode, int64_t steps);

#endif
