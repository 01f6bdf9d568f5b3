#include "sim/method/profile_layers.h"

#include <math.h>
#include <string.h>

#include "model/refuse.h"
#include "model/status.h"

static double row_s(const struct layer_times *row, bool backward)
{
    return backward ? row->backward_s : row->forward_s;
}

static double pass_s(const struct compute_profile *c, bool backward)
{
    return backward ? c->backward_s : c->forward_s;
}

double profile_layers_s(const struct compute_profile *c, bool backward)
{
    double sum = 0;

    for (size_t i = 0; i < c->nlayers; i++)
        sum += row_s(&c->layers[i], backward);
    return sum;
}

/* Rows are looked for from 'next' on, which moves on: those in the model's order are found at once. NULL: none. */
static const struct layer_times *row_of(const struct compute_profile *c, const char *layer, size_t *next)
{
    for (size_t i = 0; i < c->nlayers; i++) {
        const struct layer_times *row = &c->layers[(*next + i) % c->nlayers];

        if (strcmp(row->layer, layer) != 0)
            continue;
        *next = (size_t)(row - c->layers) + 1;
        return row;
    }
    return NULL;
}

static int check_row(const struct compute_profile *c, size_t i, const struct model *m, char *why, size_t nwhy)
{
    const struct layer_times *row = &c->layers[i];
    size_t layer = 0;

    if (!(row->forward_s >= 0) || !(row->backward_s >= 0) || !isfinite(row->forward_s + row->backward_s))
        return refuse(why, nwhy, "profile.layers[%zu]: expected times, got %g s and %g s", i, row->forward_s,
                      row->backward_s);
    while (layer < m->nlayers && strcmp(m->layers[layer].name, row->layer) != 0)
        layer++;
    if (layer == m->nlayers)
        return refuse(why, nwhy, "profile.layers[%zu].layer: expected a layer of %s, got '%s'", i, m->name, row->layer);
    for (size_t j = 0; j < i; j++)
        if (!strcmp(c->layers[j].layer, row->layer))
            return refuse(why, nwhy, "profile.layers[%zu].layer: expected one row for '%s', got two", i, row->layer);
    return E_OK;
}

int profile_layers_check(const struct compute_profile *c, const struct model *m, char *why, size_t nwhy)
{
    if (c->nlayers && c->step_s > 0)
        return refuse(why, nwhy, "profile.layers: expected them with forward and backward, got step");
    for (size_t i = 0; i < c->nlayers; i++) {
        int rc = check_row(c, i, m, why, nwhy);

        if (rc)
            return rc;
    }
    for (int backward = 0; backward < 2; backward++) {
        double rows = profile_layers_s(c, backward), pass = pass_s(c, backward);

        if (pass > 0 && rows > pass * (1 + 1e-6)) /* rows may have been rounded */
            return refuse(why, nwhy, "profile.layers: expected rows that take no longer than %s, %g s, got %g s",
                          backward ? "backward" : "forward", pass, rows);
    }
    return E_OK;
}

static double flops_of(const struct layer *l, bool backward)
{
    return (double)(backward ? l->flops_backward : l->flops_forward);
}

/* What a pass is divided by: seconds, or FLOPs where nothing was measured of single layers. */
struct shares {
    double all, rest, flops;
};

static struct shares shares_of(const struct compute_profile *c, const struct model *m, bool backward)
{
    double rows = profile_layers_s(c, backward);
    struct shares s = { .flops = (double)(backward ? m->flops_backward : m->flops_forward) };

    s.rest = fmax(pass_s(c, backward) - rows, 0);
    s.all = c->nlayers ? rows + s.rest : s.flops;
    return s;
}

static double share(const struct compute_profile *c, const struct shares *s, const struct model *m, size_t layer,
                    bool backward, size_t *next)
{
    const struct layer *l = &m->layers[layer];
    const struct layer_times *row;

    if (!c->nlayers)
        return flops_of(l, backward);
    row = row_of(c, l->name, next);
    return (row ? row_s(row, backward) : 0) +
           s->rest * (s->flops > 0 ? flops_of(l, backward) / s->flops : layer + 1 == m->nlayers);
}

static int64_t until_ps(int64_t total_ps, double until, double all)
{
    return until < all ? (int64_t)((double)total_ps * (until / all)) : total_ps;
}

int64_t profile_share_ps(const struct compute_profile *c, int64_t total_ps, const struct model *m, size_t layer,
                         bool backward)
{
    struct shares s = shares_of(c, m, backward);
    double before = 0, until;
    size_t next = 0;

    if (!(s.all > 0))
        return layer + 1 == m->nlayers ? total_ps : 0;
    for (size_t i = 0; i < layer; i++)
        before += share(c, &s, m, i, backward, &next);
    until = before + share(c, &s, m, layer, backward, &next);
    if (c->nlayers && layer + 1 == m->nlayers) /* what rounding of the shares left */
        until = s.all;
    return until_ps(total_ps, until, s.all) - until_ps(total_ps, before, s.all);
}
