#include "harness/exec/place.h"

#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "harness/exec/content/content.h"
#include "harness/exec/execute.h"
#include "harness/exec/native.h"
#include "harness/lab/plan.h"
#include "harness/run/point/measures.h"
#include "harness/status.h"

enum { MOST_OPEN = 64 };

static bool same_rate(const struct lab_rate *a, const struct lab_rate *b)
{
    return a->Bps == b->Bps && a->burst_bytes == b->burst_bytes && a->queue_bytes == b->queue_bytes;
}

/* All links alike in a few words; else those of the first machine, and a hash of the others. */
static void describe(const struct lab_plan *plan, char *text, size_t size)
{
    const struct lab_link *first = &plan->links[0];
    bool alike = plan->switches == 1;

    for (int i = 0; i < plan->machines; i++)
        alike &= same_rate(&plan->links[i].up, &first->up) && same_rate(&plan->links[i].down, &first->up);
    int n = snprintf(text, size, "%d machines, %g Mbit/s, burst %lld B, queue %lld B", plan->machines,
                     8e-6 * first->up.Bps, (long long)first->up.burst_bytes, (long long)first->up.queue_bytes);
    if (!alike && n > 0 && (size_t)n < size)
        snprintf(text + n, size - (size_t)n, ", other links %016llx",
                 (unsigned long long)XXH3_64bits(plan->links, (size_t)plan->machines * sizeof(plan->links[0])) ^
                     XXH3_64bits(plan->uplinks, (size_t)plan->switches * sizeof(plan->uplinks[0])));
}

/* Where ranks are does not depend on what is fitted: any number will do. */
static void fill_in(const struct scenario_file *file, struct point *p)
{
    const char *open[MOST_OPEN];
    size_t n = scenario_calibrated(file, p, open, MOST_OPEN);

    for (size_t i = 0; i < n && i < MOST_OPEN; i++)
        *scenario_number(&p->scenario, open[i]) = 0.5;
    if (n)
        scenario_renew_rates(p, NULL);
}

static int place_ranks(const struct task_graph *g, struct place *out, char *why, size_t nwhy)
{
    if (g->nranks > PLACE_RANKS) {
        snprintf(why, nwhy, "method: expected at most %d ranks to execute, got %zu", PLACE_RANKS, g->nranks);
        return NW_EINPUT;
    }
    out->ranks = (int)g->nranks;
    for (size_t r = 0; r < g->nranks; r++)
        out->machine_of_rank[r] = g->ranks[r].machine;
    return NW_OK;
}

static int network(const struct point *p, struct place *out, char *why, size_t nwhy)
{
    static struct lab_plan plan; /* some 30 kB */
    int rc = lab_plan_make(&p->scenario.platform, 0, &plan, why, nwhy);

    if (!rc)
        describe(&plan, out->network, sizeof(out->network));
    return rc;
}

int place_of(const struct scenario_file *file, size_t index, bool in_lab, bool native, struct place *out)
{
    struct point p = { 0 };
    struct model model = { 0 };
    struct task_graph g = { 0 };
    char why[512] = "";
    int rc = scenario_point(file, index, &p);

    *out = (struct place){ 0 };
    if (!rc)
        fill_in(file, &p);
    rc = rc ? rc : measures_model(&p.scenario, &model, why, sizeof(why)) ? NW_EINPUT : NW_OK;
    rc = rc ? rc : execute_graph(&p.scenario, &model, &g, why, sizeof(why));
    rc = rc ? rc : content_check(&g, why, sizeof(why));
    if (!rc && native)
        rc = native_exchange(&g, why, sizeof(why));
    rc = rc ? rc : place_ranks(&g, out, why, sizeof(why));
    if (!rc && in_lab)
        rc = network(&p, out, why, sizeof(why));
    if (rc && *why)
        scenario_refuse(file, &p, why, stderr);
    task_graph_free(&g);
    model_free(&model);
    point_free(&p);
    return rc;
}

bool place_fits(const struct place *a, const struct place *b)
{
    int ranks = a->ranks < b->ranks ? a->ranks : b->ranks;

    return !strcmp(a->network, b->network) &&
           !memcmp(a->machine_of_rank, b->machine_of_rank, (size_t)ranks * sizeof(int));
}
