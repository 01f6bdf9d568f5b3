/* train.c - a training over the processes of an MPI program. */
#include <stdio.h>

#include "harness/command/cluster/spread.h"
#include "harness/command/line/command_line.h"
#include "harness/run/ranked.h"
#include "harness/status.h"

/* Ranks other than 0 have no database: they train the points that rank 0 finds missing in it. */
int spread_train(const struct world *w, struct link_nccl *nccl, const struct experiment *x,
                 const struct scenario_file *file, struct experiment_result *out)
{
    struct experiment own = *x;
    int rc = ranks_open(w, nccl, &own.ranks);

    if (!rc && w->rank)
        rc = ranked_follow(own.ranks, file, x->jobs);
    if (!rc && !w->rank) {
        rc = ranked_check(file, x->points, x->npoints, w->ranks, stderr);
        rc = ranks_dismiss(own.ranks, rc ? rc : command_experiment(&own, file, out));
    }
    ranks_close(own.ranks);
    return spread_status(w, rc);
}
