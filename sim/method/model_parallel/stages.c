#include "sim/method/model_parallel/stages.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "model/refuse.h"
#include "model/status.h"
#include "sim/method/report.h"

/* Layers that stay together in a division by FLOPs: one with weights and what follows it up to the next, and whole
 * residual blocks. */
struct unit {
    size_t end;
    int64_t flops;
};

/* clean[i]: is the output of layer i all that goes past a cut behind it? Not where something further on reads an
 * earlier one: around a residual path, past a branch, between what an attention reads and it. */
static void find_clean(const struct model *m, bool clean[])
{
    int earliest = INT_MAX; /* layer that those behind i read */

    for (size_t i = m->nlayers; i-- > 0;) {
        int reads = layer_earliest(&m->layers[i]);
        clean[i] = earliest >= (int)i;
        earliest = reads < earliest ? reads : earliest;
    }
}

/* A unit ends at the last clean layer before the next one with weights. Returns how many there are. */
static size_t find_units(const struct model *m, const bool clean[], struct unit unit[])
{
    size_t n = 0, from = 0, end = 0; /* end 0: no clean layer yet since the last one with weights */
    bool weights = false;

    for (size_t i = 0; i < m->nlayers; i++) {
        if (m->layers[i].weights) {
            if (weights && end) {
                unit[n++].end = end;
                weights = 0;
            }
            end = 0;
            weights = 1;
        }
        if (weights && clean[i])
            end = i + 1;
    }
    unit[n++].end = m->nlayers;
    for (size_t u = 0; u < n; u++)
        for (unit[u].flops = 0; from < unit[u].end; from++)
            unit[u].flops += m->layers[from].flops_forward + m->layers[from].flops_backward;
    return n;
}

/* How many stages of at most 'most' FLOPs hold all units, in order; each unit has no more than that. */
static int64_t stages_needed(const struct unit unit[], size_t n, int64_t most)
{
    int64_t stages = 1, sum = 0;

    for (size_t u = 0; u < n; u++) {
        if (unit[u].flops > most - sum) {
            stages++;
            sum = 0;
        }
        sum += unit[u].flops;
    }
    return stages;
}

/* The smallest largest stage, by bisection: fewer FLOPs never need fewer stages. */
static int64_t smallest_largest(const struct unit unit[], size_t n, int64_t stages)
{
    int64_t low = 0, high = 0;

    for (size_t u = 0; u < n; u++) {
        low = unit[u].flops > low ? unit[u].flops : low;
        high += unit[u].flops;
    }
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (stages_needed(unit, n, middle) <= stages)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Fill each stage up to 'most', but leave a unit for every stage that follows. */
static void fill_stages(const struct unit unit[], size_t n, int64_t most, int64_t stages, struct mp_stage stage[])
{
    size_t u = 0, first = 0;

    for (int64_t s = 0; s < stages; s++) {
        size_t left_for_others = (size_t)(stages - s - 1);
        int64_t sum = unit[u++].flops;
        while (u < n - left_for_others && unit[u].flops <= most - sum)
            sum += unit[u++].flops;
        stage[s] = (struct mp_stage){ .first = first, .end = unit[u - 1].end };
        first = unit[u - 1].end;
    }
}

static int divide_evenly(const struct model_parallel *mp, const struct unit unit[], size_t n, struct mp_stage stage[],
                         char *why, size_t nwhy)
{
    if (mp->stages > (int64_t)n)
        return refuse(why, nwhy,
                      "method.stages: expected at most %zu, as many as the model has parts with weights that no "
                      "shortcut passes by, got %lld",
                      n, (long long)mp->stages);
    fill_stages(unit, n, smallest_largest(unit, n, mp->stages), mp->stages, stage);
    return E_OK;
}

/* Index of the layer of that name, nlayers if there is none. */
static size_t find_layer(const struct model *m, const char *name, size_t from)
{
    size_t i = from;

    while (i < m->nlayers && strcmp(m->layers[i].name, name) != 0)
        i++;
    return i;
}

static int cut_at(const struct model_parallel *mp, const struct model *m, const bool clean[], struct mp_stage stage[],
                  char *why, size_t nwhy)
{
    size_t first = 0;

    for (size_t k = 0; k < mp->ncuts; k++) {
        const char *name = mp->cuts[k].after;
        size_t i = find_layer(m, name, first);
        if (i == m->nlayers && find_layer(m, name, 0) < m->nlayers)
            return refuse(why, nwhy, "method.cuts[%zu].after: expected a layer after '%s', got '%s'", k,
                          mp->cuts[k - 1].after, name);
        if (i == m->nlayers)
            return refuse(why, nwhy, "method.cuts[%zu].after: the model '%s' has no layer '%s'", k, m->name, name);
        if (i + 1 == m->nlayers)
            return refuse(why, nwhy, "method.cuts[%zu].after: nothing follows '%s', the last layer", k, name);
        if (!clean[i])
            return refuse(why, nwhy,
                          "method.cuts[%zu].after: something behind '%s' reads an earlier layer, too (a shortcut, a "
                          "branch, an attention): expected a layer outside of blocks, or a block's last",
                          k, name);
        stage[k] = (struct mp_stage){ .first = first, .end = i + 1 };
        first = i + 1;
    }
    stage[mp->ncuts] = (struct mp_stage){ .first = first, .end = m->nlayers };
    return E_OK;
}

int mp_divide(const struct model_parallel *mp, const struct model *m, struct mp_stage stage[], char *why, size_t nwhy)
{
    bool *clean = calloc(m->nlayers, sizeof(*clean));
    struct unit *unit = calloc(m->nlayers, sizeof(*unit));
    int rc = E_NOMEM;

    if (!clean || !unit)
        goto done;
    find_clean(m, clean);
    rc = mp->ncuts ? cut_at(mp, m, clean, stage, why, nwhy)
                   : divide_evenly(mp, unit, find_units(m, clean, unit), stage, why, nwhy);
done:
    free(clean);
    free(unit);
    return rc;
}
