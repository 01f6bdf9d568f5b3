#include "harness/exec/agree.h"

#include <stdlib.h>

#include "harness/mpi/world.h"
#include "harness/status.h"

void agree_on_point(int rank, struct point *p, const char *const paths[], size_t npaths)
{
    for (size_t i = 0; i < npaths; i++)
        world_share(scenario_number(&p->scenario, paths[i]), sizeof(double));
    if (rank)
        scenario_renew_rates(p, NULL);
}

int agree_on_times(struct task_graph *g)
{
    size_t n = g->ntasks;

    world_share(&n, sizeof(n));
    if (n != g->ntasks)
        return status_error(NW_EIO, "the ranks disagree on the graph: %zu tasks at rank 0, %zu here\n", n, g->ntasks);
    int64_t *times = malloc(3 * n * sizeof(*times));
    if (!times)
        return NW_ENOMEM;
    for (size_t i = 0; i < n; i++) {
        times[3 * i] = g->tasks[i].duration_ps;
        times[3 * i + 1] = g->tasks[i].start_ps;
        times[3 * i + 2] = g->tasks[i].end_ps;
    }
    world_share(times, 3 * n * sizeof(*times));
    for (size_t i = 0; i < n; i++) {
        g->tasks[i].duration_ps = times[3 * i];
        g->tasks[i].start_ps = times[3 * i + 1];
        g->tasks[i].end_ps = times[3 * i + 2];
    }
    free(times);
    return NW_OK;
}
