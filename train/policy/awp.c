#include "train/policy/awp.h"

#include <math.h>
#include <stdbool.h>

#include "model/status.h"

static bool sensible(const struct awp_config *c)
{
    return !isnan(c->threshold) && c->interval >= 1 && c->step_bits >= 1 && c->max_bits <= 32 && c->start_bits >= 1 &&
           c->start_bits <= c->max_bits;
}

static bool units_fit(const size_t *unit_of, size_t nlayers, size_t nunits)
{
    if (!unit_of)
        return nlayers == nunits;
    for (size_t i = 0; i < nlayers; i++)
        if (unit_of[i] >= nunits)
            return 0;
    return 1;
}

int awp_init(struct awp *a, const struct awp_config *config, struct awp_unit *units, size_t nunits,
             const size_t *unit_of, size_t nlayers)
{
    if (!sensible(config) || !units_fit(unit_of, nlayers, nunits))
        return E_INVAL;
    *a = (struct awp){ .config = *config, .units = units, .nunits = nunits, .unit_of = unit_of, .nlayers = nlayers };
    for (size_t u = 0; u < nunits; u++)
        units[u] = (struct awp_unit){ .norm = NAN, .bits = config->start_bits };
    return 0;
}

/* Lines 6 to 13 for one unit. Comparisons with NaN are false, so an undefined delta does not count. */
static bool unit_batch(struct awp_unit *u, const struct awp_config *c, double norm)
{
    double delta = (norm - u->norm) / u->norm;
    int before = u->bits;

    u->norm = norm;
    if (isfinite(delta)) {
        u->changes += delta;
        u->nchanges++;
    }
    if (delta < c->threshold)
        u->counted++;
    if (u->counted == c->interval) {
        u->bits = c->step_bits < c->max_bits - u->bits ? u->bits + c->step_bits : c->max_bits;
        u->counted = 0;
    }
    return u->bits > before;
}

size_t awp_batch(struct awp *a, const double *norms)
{
    size_t widened = 0;

    if (a->unit_of) {
        for (size_t u = 0; u < a->nunits; u++)
            a->units[u].squares = 0;
        for (size_t i = 0; i < a->nlayers; i++)
            a->units[a->unit_of[i]].squares += norms[i] * norms[i];
    }
    for (size_t u = 0; u < a->nunits; u++)
        widened += unit_batch(&a->units[u], &a->config, a->unit_of ? sqrt(a->units[u].squares) : norms[u]);
    return widened;
}

int awp_bits(const struct awp *a, size_t layer)
{
    return a->units[a->unit_of ? a->unit_of[layer] : layer].bits;
}

double awp_mean_change(const struct awp *a)
{
    double sum = 0;
    int64_t n = 0;

    for (size_t u = 0; u < a->nunits; u++) {
        sum += a->units[u].changes;
        n += a->units[u].nchanges;
    }
    return n ? sum / (double)n : NAN;
}

int awp_bytes(int bits)
{
    int bytes = (bits + 7) / 8;

    return bytes < 1 ? 1 : bytes > 4 ? 4 : bytes;
}
