#include "harness/run/leave_out.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/run/fit/refit.h"
#include "harness/run/interrupt.h"
#include "harness/run/point/measures.h"
#include "harness/status.h"

enum { MOST_CALIBRATIONS = 16, MAX_JOBS = 256 };

/* What gains are counted from; what a cell says in itself comes after them. */
enum { SAMPLE_US, STEP_MS, LARGEST, BASES };
static const char *const bases[BASES] = { "sample_us", "step_ms", "largest_batch" };

/* A point, and what its measures are with each refit. */
struct seen {
    struct point point;
    const struct refits *refits; /* NULL: nothing here is calibrated */
    bool wanted;
    double *values; /* for each refit, BASES and one for each cell; NaN: none */
};

struct leaving {
    const struct experiment *x;
    const struct scenario_file *file;
    struct codec_rates *rates;
    struct seen *seen;
    size_t n;
    const struct refits *all[MOST_CALIBRATIONS];
    size_t nall;
    atomic_size_t next;
};

static size_t width(const struct seen *s)
{
    return BASES + s->point.ncells;
}

static void simulate(struct leaving *l, struct seen *s, struct measures *m)
{
    char why[256];

    for (size_t i = 0; i < s->refits->n && !interrupted(); i++) {
        double *values = &s->values[i * width(s)];

        refit_supply(s->refits, i, &s->point);
        scenario_renew_rates(&s->point, NULL);
        codec_rate_supply(l->rates, &s->point);
        bool plays = !measures_of(&s->point.scenario, m, why, sizeof(why));
        for (int k = 0; k < BASES; k++)
            values[k] = plays ? measure_value(m, bases[k]) : NAN;
        for (size_t k = 0; k < s->point.ncells; k++)
            values[BASES + k] = plays ? measure_value(m, s->point.cells[k].measure) : NAN;
    }
}

static void *work(void *argument)
{
    struct leaving *l = argument;
    struct measures *m = malloc(sizeof(*m));
    size_t i;

    while (m && (i = atomic_fetch_add(&l->next, 1)) < l->n)
        if (l->seen[i].values)
            simulate(l, &l->seen[i], m);
    free(m);
    return NULL;
}

static void simulate_all(struct leaving *l)
{
    pthread_t threads[MAX_JOBS];
    int most = l->x->jobs < MAX_JOBS ? l->x->jobs : MAX_JOBS, started = 0;

    while (started + 1 < most && !pthread_create(&threads[started], NULL, work, l))
        started++;
    work(l);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}

static struct seen *baseline_of(const struct leaving *l, const struct seen *s)
{
    const char *baseline = scenario_baseline(l->file);

    for (size_t i = 0; i < l->n && *baseline; i++)
        if (&l->seen[i] != s && l->seen[i].point.combination == s->point.combination &&
            !strcmp(l->seen[i].point.variant, baseline) && l->seen[i].refits == s->refits)
            return &l->seen[i];
    return NULL;
}

/* What the cell is with refit i, as the view 'gain' counts; NaN if there is no such value. */
static double value_of(const struct leaving *l, const struct seen *s, size_t i, size_t cell)
{
    const char *measure = s->point.cells[cell].measure;
    const struct seen *b = measure_derived(measure) ? baseline_of(l, s) : NULL;
    const double *ours = &s->values[i * width(s)];

    if (!measure_derived(measure))
        return ours[BASES + cell];
    if (!b || !b->values)
        return NAN;
    const double *theirs = &b->values[i * width(b)];
    if (!strcmp(measure, "batch_ratio"))
        return ours[LARGEST] / theirs[LARGEST];
    bool samples = ours[SAMPLE_US] > 0 && theirs[SAMPLE_US] > 0;
    double speedup = samples ? theirs[SAMPLE_US] / ours[SAMPLE_US] : theirs[STEP_MS] / ours[STEP_MS];
    if (!strcmp(measure, "speedup"))
        return speedup;
    return 100 * (strcmp(measure, "gain_pct") ? 1 - speedup : 1 - 1 / speedup);
}

static int store_one(const struct leaving *l, const struct refits *r, size_t i, int64_t run_id, size_t place)
{
    const struct refit *t = &r->list[i];
    struct refit_fact fact = { place,
                               r->platform,
                               { t->left[0], t->left[1], t->left[2], t->left[3], "" },
                               r->constants,
                               t->values,
                               r->nconstants,
                               NULL,
                               0 };
    size_t most = 0;

    for (size_t k = 0; k < l->n; k++)
        most += l->seen[k].point.ncells;
    struct refit_cell_fact *cells = calloc(most + 1, sizeof(*cells));
    if (!cells)
        return NW_ENOMEM;
    for (size_t k = 0; k < l->n; k++) {
        const struct seen *s = &l->seen[k];
        for (size_t c = 0; c < s->point.ncells && s->refits == r; c++) {
            const struct cell *cell = &s->point.cells[c];
            double ours = value_of(l, s, i, c);
            if (isfinite(ours))
                cells[fact.ncells++] = (struct refit_cell_fact){
                    s->point.index, { cell->paper, cell->table, cell->row, cell->column, cell->measure }, ours
                };
        }
    }
    fact.cells = cells;
    int rc = store_refit(l->x->store, run_id, &fact);
    free(cells);
    return rc;
}

/* Bind every point and give it what its file leaves open; on this thread, as refits are made on the way. */
static int bind_all(struct leaving *l)
{
    int rc = NW_OK;

    for (size_t i = 0; i < l->n && !rc; i++) {
        struct seen *s = &l->seen[i];
        rc = scenario_point(l->file, l->x->points ? l->x->points[i] : i, &s->point);
        if (rc)
            break;
        rc = calibration_refit(l->x->calibrations, l->x->store, l->file, &s->point, &s->refits);
        rc = rc ? rc : calibration_supply(l->x->calibrations, l->file, &s->point);
        size_t k = 0;
        while (k < l->nall && l->all[k] != s->refits)
            k++;
        if (s->refits && k == l->nall && k < MOST_CALIBRATIONS)
            l->all[l->nall++] = s->refits;
    }
    return rc;
}

static int want(struct leaving *l)
{
    for (size_t i = 0; i < l->n; i++) {
        struct seen *s = &l->seen[i], *b = s->refits && s->point.ncells ? baseline_of(l, s) : NULL;
        s->wanted |= s->refits && s->point.ncells;
        if (b)
            b->wanted = true;
    }
    for (size_t i = 0; i < l->n; i++) {
        struct seen *s = &l->seen[i];
        if (s->wanted && !(s->values = calloc(s->refits->n * width(s) + 1, sizeof(*s->values))))
            return NW_ENOMEM;
    }
    return NW_OK;
}

static int leave_out_all(struct leaving *l, int64_t run_id)
{
    int rc = bind_all(l);

    rc = rc ? rc : want(l);
    if (rc)
        return rc;
    simulate_all(l);
    if (interrupted())
        return NW_EINTR;
    for (size_t k = 0, place = 0; k < l->nall && !rc; k++)
        for (size_t i = 0; i < l->all[k]->n && !rc; i++)
            rc = store_one(l, l->all[k], i, run_id, place++);
    return rc;
}

int leave_out(const struct experiment *x, const struct scenario_file *file, struct codec_rates *rates, int64_t run_id)
{
    struct leaving l = { .x = x, .file = file, .rates = rates, .n = x->points ? x->npoints : scenario_npoints(file) };

    if (x->altered || scenario_trained(file) || !scenario_ncompared(file))
        return NW_OK;
    l.seen = calloc(l.n + 1, sizeof(*l.seen));
    int rc = l.seen ? leave_out_all(&l, run_id) : NW_ENOMEM;
    for (size_t i = 0; l.seen && i < l.n; i++) {
        point_free(&l.seen[i].point);
        free(l.seen[i].values);
    }
    free(l.seen);
    return rc;
}
