#include "sim/parallel/ways.h"

#include <stdlib.h>

#include "model/status.h"
#include "model/vec.h"

static struct end end_of(const struct parallel *p, int64_t rank, int64_t other)
{
    int64_t k = p->gpus_per_machine;

    return rank == RANK_HOST ? (struct end){ other / k, END_HOST } : (struct end){ rank / k, rank % k };
}

int ways_find(struct topology *topology, const struct parallel *p, const struct wiring *w, struct ways *out)
{
    int rc = E_OK;

    *out = (struct ways){ .of = calloc(w->nflows + 1, sizeof(*out->of)) };
    if (!out->of)
        return E_NOMEM;
    for (size_t i = 0; !rc && i < w->nflows; i++) {
        const struct wire_flow *f = &w->flows[i];
        struct way *way = &out->of[i];
        const uint32_t *channels;
        way->first = out->nhops;
        rc = topology_path(topology, end_of(p, f->from, f->to), end_of(p, f->to, f->from), &channels, &way->n,
                           &way->latency_ps);
        for (size_t k = 0; !rc && k < way->n; k++) {
            if (!VEC_RESERVE(out->hops, out->hop_capacity, out->nhops))
                rc = E_NOMEM;
            else
                out->hops[out->nhops++] = channels[k];
        }
    }
    return rc;
}

void ways_free(struct ways *w)
{
    free(w->of);
    free(w->hops);
    *w = (struct ways){ 0 };
}
