/* moment.h - this rank's clock against rank 0's. Ranks of one kernel share its clock; of others the offset is estimated
 * (harness/mpi/clock.h). */
#ifndef NARROWS_HARNESS_EXEC_MOMENT_H
#define NARROWS_HARNESS_EXEC_MOMENT_H

#include <stdint.h>

#include "harness/mpi/world.h"

struct moment {
    int64_t offset_ns; /* this clock less rank 0's */
    int64_t error_ns;  /* the largest of any rank's */
};

/* All ranks of the world call it. A nw_status. */
int moment_find(const struct world *w, struct moment *out);

#endif
