/* leave_out.c - how far the errors depend on each of the rows that calibrate. A row is left out of its group; the
 * constants are fitted to the rest of the group, or, if that is too little and the fit allows it, are the geometric
 * mean of the other groups'; the rows of the group are predicted again. Constants of later fits stay. Groups of many
 * rows are passed over. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"
#include "harness/validation/leave_out.h"

/* Of so many rows one tells little, and as many fits take long. */
enum { MOST_ROWS = 32 };

struct leaving {
    const struct cases *cases;
    struct fits *fits;
    const struct extra *extras;
    const double *predicted;
    struct left_outs *out;
    size_t *rows, *concerned;
    double *again;
};

static bool from_elsewhere(struct fitted *f, size_t group)
{
    size_t others = 0;

    for (size_t g = 0; g < f->ngroups; g++)
        others += g != group && f->groups[g].nrows;
    if (!f->fit->elsewhere || !others)
        return false;
    for (size_t k = 0; k < f->npaths; k++) {
        double logs = 0;
        for (size_t g = 0; g < f->ngroups; g++)
            logs += g == group || !f->groups[g].nrows ? 0 : log(f->groups[g].values[k]);
        f->groups[group].values[k] = exp(logs / (double)others);
    }
    return true;
}

/* Rows of the group that are predicted, not calibrated. */
static size_t find_concerned(struct leaving *l, size_t which, size_t group)
{
    size_t n = 0;

    for (size_t i = 0; i < l->cases->n; i++)
        if (l->cases->rows[i].used && l->fits->list[which].group_of[i] == group && !isnan(l->predicted[i]) &&
            !fits_calibrates(l->fits, i))
            l->concerned[n++] = i;
    return n;
}

static int add_means(struct leaving *l, size_t which, size_t group, size_t row, size_t nconcerned)
{
    const struct cases *c = l->cases;

    for (size_t s = 0; s < c->spec->nsets; s++) {
        double sum = 0;
        size_t n = 0, changed = 0, at = 0;
        for (size_t i = 0; i < c->n; i++) {
            bool again = at < nconcerned && l->concerned[at] == i;
            double predicted = again ? l->again[at++] : l->predicted[i];
            if (l->extras[i].set != s || !c->rows[i].used || isnan(predicted) || fits_calibrates(l->fits, i))
                continue;
            sum += fabs(predicted / c->rows[i].value - 1);
            n++;
            changed += again;
        }
        if (!changed)
            continue;
        struct left_out *more = realloc(l->out->list, (l->out->n + 1) * sizeof(*more));
        if (!more)
            return NW_ENOMEM;
        l->out->list = more;
        more[l->out->n++] = (struct left_out){ which, group, row, s, 100 * sum / (double)n };
    }
    return NW_OK;
}

static int leave_one(struct leaving *l, size_t which, size_t group, size_t left)
{
    struct fitted *f = &l->fits->list[which];
    struct fit_group *g = &f->groups[group];
    double kept[FIT_MOST_KEYS], off;
    size_t n = 0, nconcerned = find_concerned(l, which, group), ready = l->fits->ready;
    int rc = NW_OK;

    for (size_t i = 0; i < g->nrows; i++)
        if (i != left)
            l->rows[n++] = g->rows[i];
    memcpy(kept, g->values, sizeof(kept));
    if (n >= f->npaths) {
        l->fits->ready = which + 1;
        rc = fit_group(l->cases, l->fits, which, group, l->rows, n, &off);
        l->fits->ready = ready;
    } else if (!from_elsewhere(f, group)) {
        return NW_OK;
    }
    rc = rc || !nconcerned ? rc : fits_play(l->cases, l->fits, l->concerned, nconcerned, l->again, NULL);
    rc = rc || !nconcerned ? rc : add_means(l, which, group, g->rows[left], nconcerned);
    memcpy(g->values, kept, sizeof(kept));
    return rc;
}

int leave_rows_out(const struct cases *c, struct fits *f, const struct extra *extras, const double predicted[],
                   struct left_outs *out)
{
    struct leaving l = { .cases = c, .fits = f, .extras = extras, .predicted = predicted, .out = out };
    int rc;

    *out = (struct left_outs){ .n = 0 };
    l.rows = calloc(c->n, sizeof(*l.rows));
    l.concerned = calloc(c->n, sizeof(*l.concerned));
    l.again = calloc(c->n, sizeof(*l.again));
    rc = l.rows && l.concerned && l.again ? NW_OK : NW_ENOMEM;
    for (size_t i = 0; !rc && i < f->n; i++)
        for (size_t g = 0; !rc && g < f->list[i].ngroups && !fit_is_repeated(f, i) && !*f->list[i].fit->among; g++)
            for (size_t k = 0; !rc && f->list[i].groups[g].nrows <= MOST_ROWS && k < f->list[i].groups[g].nrows; k++)
                rc = leave_one(&l, i, g, k);
    free(l.rows);
    free(l.concerned);
    free(l.again);
    return rc;
}

void left_outs_free(struct left_outs *l)
{
    free(l->list);
    *l = (struct left_outs){ .n = 0 };
}
