#include "harness/tune/binds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/status.h"

struct part {
    const char *name;
    double ps;
};

static int by_ps(const void *a, const void *b)
{
    const struct part *x = a, *y = b;

    return (x->ps < y->ps) - (x->ps > y->ps);
}

/* "computing 71 %, pipeline bubble 15 %": what is at least a twentieth of the step, two of them at most. */
static size_t name_parts(const struct survey_view *v, char *text, size_t size)
{
    const struct closed_step *c = &v->closed;
    double computing = c->compute_ps + c->update_ps;
    struct part parts[] = {
        { "computing", computing },
        { "tensor group", c->blocking_ps },
        { "pipeline bubble", c->bubble_ps },
        { "data group", fmax(0, v->step_ps - computing - c->blocking_ps - c->bubble_ps) },
    };
    size_t used = 0;

    qsort(parts, sizeof(parts) / sizeof(*parts), sizeof(*parts), by_ps);
    for (int i = 0; i < 2 && used < size; i++)
        if (!i || parts[i].ps >= v->step_ps / 20)
            used += (size_t)snprintf(text + used, size - used, "%s%s %.0f %%", i ? ", " : "", parts[i].name,
                                     100 * parts[i].ps / v->step_ps);
    return used < size ? used : size - 1;
}

/* How two methods differ, as a person would say it. */
static void name_change(const struct sharded *from, const struct sharded *to, char *text, size_t size)
{
    static const char *const again[] = { "none", "selective", "full" };

    if (to->recompute != from->recompute)
        snprintf(text, size, "recompute %s", again[to->recompute]);
    else if (to->micro_batch != from->micro_batch)
        snprintf(text, size, "micro-batch %lld", (long long)to->micro_batch);
    else if (to->level != from->level)
        snprintf(text, size, "level %lld", (long long)to->level);
    else if (to->chunks != from->chunks)
        snprintf(text, size, "%lld chunks", (long long)to->chunks);
    else if (to->sequence != from->sequence)
        snprintf(text, size, "sequence %s", to->sequence ? "true" : "false");
    else
        snprintf(text, size, "another value of a key");
}

struct neighbour {
    double memory_bytes;
    struct sharded m;
};

static int look_at(const struct layouts *s, struct survey *survey, size_t layout, bool roomy, struct survey_view *out,
                   struct sharded *m)
{
    struct method *method = malloc(sizeof(*method));
    struct job job = s->job;
    int rc = method ? NW_OK : NW_ENOMEM;

    if (method) {
        *method = *s->job.method;
        layouts_method(s, layout, &method->sharded);
        job.method = method;
        rc = survey_look(survey, &job, INFINITY, roomy, out) ? NW_ENOMEM : NW_OK;
        *m = method->sharded;
    }
    free(method);
    return rc;
}

/* Of those that are faster and do not fit the one that needs least. */
static int nearest_unfit(const struct layouts *s, struct survey *survey, const struct tuned_row *row,
                         struct neighbour *out)
{
    int rc = NW_OK;

    *out = (struct neighbour){ .memory_bytes = INFINITY };
    for (size_t i = s->nouter; i < s->naxes; i++) {
        const struct layouts_axis *a = &s->axes[i];
        size_t own = row->layout / a->stride % a->n;
        for (size_t v = 0; !rc && v < a->n; v++) {
            struct survey_view view;
            struct sharded m;
            if (v == own)
                continue;
            rc = look_at(s, survey, row->layout + v * a->stride - own * a->stride, true, &view, &m);
            if (!rc && view.end == SURVEY_TIMED && view.step_ps < row->closed.step_ps &&
                view.memory.total > view.memory_limit && view.memory.total < out->memory_bytes)
                *out = (struct neighbour){ view.memory.total, m };
        }
    }
    return rc;
}

int tuned_binds(const struct layouts *s, struct survey *survey, struct tuned_row *row)
{
    struct neighbour n;
    char change[96];
    size_t used;
    int rc = look_at(s, survey, row->layout, false, &row->closed, &row->m);

    rc = rc ? rc : nearest_unfit(s, survey, row, &n);
    if (rc)
        return rc;
    used = name_parts(&row->closed, row->binds, sizeof(row->binds));
    if (isinf(n.memory_bytes))
        return NW_OK;
    name_change(&row->m, &n.m, change, sizeof(change));
    snprintf(row->binds + used, sizeof(row->binds) - used, "; memory: %s needs %.4g GB", change, n.memory_bytes / 1e9);
    return NW_OK;
}
