#include "harness/run/break_even/break_even.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/run/interrupt.h"
#include "harness/status.h"

static const double reach = 1000; /* of the default range, either way */

/* One of the two variants, bound once. */
struct player {
    struct point point;
    struct varied number; /* 'at' NULL: not changed here */
    struct measures last;
};

struct finding {
    const struct break_even_question *q;
    struct player variant, baseline;
    struct break_even *out;
};

static struct binding binding_of(const struct measures *m)
{
    static const char begins[] = "critical.";
    struct binding b = { .share = 0 };

    for (size_t i = 0; i < m->count; i++)
        if (!strncmp(m->list[i].name, begins, sizeof(begins) - 1) && m->list[i].value > b.share) {
            b.share = m->list[i].value;
            snprintf(b.kind, sizeof(b.kind), "%s", m->list[i].name + sizeof(begins) - 1);
        }
    return b;
}

/* Time of one sample with the number at x. 1 where the simulator refuses it. */
static int play(struct finding *f, struct player *p, double x, double *us)
{
    char why[BREAK_EVEN_WHY];
    int rc;

    if (interrupted())
        return NW_EINTR;
    if (p->number.at) {
        vary_set(&p->number, x);
        scenario_renew_rates(&p->point, p->number.path);
    }
    rc = measures_of(&p->point.scenario, &p->last, why, sizeof(why));
    f->out->nsimulated++;
    if (rc == NW_ESIM) {
        if (!*f->out->refused) {
            snprintf(f->out->refused, sizeof(f->out->refused), "%s", why);
            f->out->refused_at = x;
        }
        return 1;
    }
    if (rc) {
        fprintf(stderr, "narrows break-even: %s\n", why);
        return rc;
    }
    *us = measure_value(&p->last, "sample_us");
    if (!(*us > 0))
        return status_error(
            NW_EINPUT, "narrows break-even: this method takes no time for a sample: there is nothing to compare\n");
    return f->q->simulated ? f->q->simulated(f->q->context, &p->number, x, &p->point, &p->last) : NW_OK;
}

static int speedup(void *context, double x, double *y)
{
    struct finding *f = context;
    double fast, slow;
    int rc = play(f, &f->baseline, x, &slow);

    if (!rc)
        rc = play(f, &f->variant, x, &fast);
    *y = rc ? NAN : slow / fast;
    return rc;
}

static int look(struct finding *f, double x, struct break_even_side *side)
{
    int rc;

    *side = (struct break_even_side){ .x = x };
    rc = speedup(f, x, &side->speedup);
    if (rc)
        return rc < 0 ? rc : NW_OK;
    side->variant = binding_of(&f->variant.last);
    side->baseline = binding_of(&f->baseline.last);
    return NW_OK;
}

static int bind_one(const struct scenario_file *file, const struct break_even_question *q, const char *variant,
                    bool supply, struct player *p)
{
    int rc = scenario_point_variant(file, q->point, variant, stderr, &p->point);

    if (!rc && !p->point.scenario.simulated)
        rc = status_error(NW_EINPUT, "%s: narrows break-even needs a method, which can be simulated\n",
                          scenario_path(file));
    return !rc && supply && q->supply ? q->supply(q->context, &p->point) : rc;
}

/* Which of the two points the number is changed in, and what it is now. */
static int aim(struct finding *f)
{
    const struct break_even_question *q = f->q;
    struct player *v = &f->variant, *b = &f->baseline;
    struct break_even *out = f->out;
    char *said = NULL;
    size_t size;
    FILE *err = open_memstream(&said, &size);
    int rc;

    if (!err)
        return NW_ENOMEM;
    rc = vary_find(&v->point.scenario, q->path, "narrows break-even: --vary", err, &v->number);
    if (!rc)
        b->number = vary_same(&b->point.scenario, &v->number);
    else if (!vary_find(&b->point.scenario, q->path, "--vary", err, &b->number)) { /* the baseline's alone */
        out->scope = VARIED_BASELINE;
        v->number = b->number;
        v->number.at = NULL;
        rc = NW_OK;
    }
    fclose(err);
    if (rc && said)
        fprintf(stderr, "%.*s", (int)strcspn(said, "\n") + 1, said);
    free(said);
    if (rc)
        return rc;
    out->number = v->number.at ? v->number : b->number;
    out->present = vary_value(&out->number);
    if (v->number.at && !b->number.at)
        out->scope = VARIED_VARIANT;
    if (v->number.at && b->number.at && vary_value(&b->number) != out->present &&
        !(isnan(vary_value(&b->number)) && isnan(out->present))) {
        out->kept = vary_value(&b->number);
        b->number.at = NULL;
        out->scope = VARIED_VARIANT;
    }
    snprintf(out->path, sizeof(out->path), "%s", out->number.path);
    return NW_OK;
}

static int read_ends(struct finding *f)
{
    const struct break_even_question *q = f->q;
    struct break_even *out = f->out;
    int rc = NW_OK;

    if (q->from)
        rc = vary_read(&out->number, q->from, "narrows break-even: --from", stderr, &out->low);
    if (!rc && q->to)
        rc = vary_read(&out->number, q->to, "narrows break-even: --to", stderr, &out->high);
    return rc;
}

/* An end that the caller leaves open needs a present value to start from. */
static int range(struct finding *f)
{
    const struct break_even_question *q = f->q;
    struct break_even *out = f->out;
    const struct varied *number = &out->number;
    double smallest, largest;
    int rc;

    vary_range(number, &smallest, &largest);
    if ((!q->from || !q->to) && !(out->present > 0))
        return status_error(NW_EINPUT,
                            "narrows break-even: %s is %g here, so there is no range around it: give --from and --to\n",
                            out->path, out->present);
    out->low = vary_whole(number) ? floor(out->present / reach) : out->present / reach;
    out->high = out->present * reach;
    if (vary_whole(number))
        out->low = fmax(out->low, 1);
    out->low = fmax(out->low, smallest);
    out->high = fmin(out->high, fmin(largest, vary_whole(number) ? 0x1p53 : INFINITY));
    rc = read_ends(f);
    if (!rc && !(out->low < out->high))
        rc = status_error(NW_EINPUT, "narrows break-even: %s: expected a range, got %.17g to %.17g\n", out->path,
                          out->low, out->high);
    return rc;
}

static enum break_even_verdict judge(const struct crossings *c, double target)
{
    const struct crossing_point *first = NULL;
    bool same = true;

    if (c->n)
        return BREAK_EVEN_CROSSES;
    for (size_t i = 0; i < c->nscan; i++) {
        if (isnan(c->scan[i].y))
            continue;
        first = first ? first : &c->scan[i];
        same &= c->scan[i].y == first->y;
    }
    if (c->nvalued > 1 && same)
        return BREAK_EVEN_UNCHANGED;
    return first && first->y >= target ? BREAK_EVEN_ALWAYS : BREAK_EVEN_NEVER;
}

static int look_around(struct finding *f, const struct crossing *at, struct break_even_crossing *c)
{
    bool whole = vary_whole(&f->out->number);
    double below = whole ? floor(at->low / 2) : at->low / 2, above = at->high * 2;
    const double xs[SIDES] = { at->low > 0 ? fmax(below, f->out->low) : f->out->low, at->low, at->high,
                               at->high > 0 ? fmin(above, f->out->high) : f->out->high };
    int rc = NW_OK;

    c->at = *at;
    for (int i = 0; i < SIDES && !rc; i++)
        rc = look(f, xs[i], &c->sides[i]);
    return rc;
}

static int look_at_ends(struct finding *f)
{
    const struct crossings *c = &f->out->found;
    size_t first = 0, last = c->nscan - 1;
    int rc;

    while (first < last && isnan(c->scan[first].y))
        first++;
    while (last > first && isnan(c->scan[last].y))
        last--;
    rc = look(f, c->scan[first].x, &f->out->ends[0]);
    return rc ? rc : look(f, c->scan[last].x, &f->out->ends[1]);
}

static int find(struct finding *f)
{
    struct break_even *out = f->out;
    struct crossing_search s = { .low = out->low,
                                 .high = out->high,
                                 .logarithmic = out->low > 0,
                                 .whole = vary_whole(&out->number),
                                 .points = f->q->scan,
                                 .tolerance = f->q->tolerance,
                                 .target = f->q->target,
                                 .function = speedup,
                                 .context = f };
    int rc = crossings_find(&s, &out->found);

    if (rc)
        return rc;
    if (!out->found.nvalued)
        return status_error(NW_EINPUT, "narrows break-even: the simulator takes no value of %s: at %g: %s\n", out->path,
                            out->refused_at, out->refused);
    out->verdict = judge(&out->found, f->q->target);
    out->crossings = calloc(out->found.n + 1, sizeof(*out->crossings));
    if (!out->crossings)
        return NW_ENOMEM;
    for (size_t i = 0; i < out->found.n && !rc; i++)
        rc = look_around(f, &out->found.list[i], &out->crossings[i]);
    return rc ? rc : look_at_ends(f);
}

static int bind(const struct scenario_file *file, struct finding *f, bool supply)
{
    int rc = bind_one(file, f->q, f->q->variant, supply, &f->variant);

    if (!rc)
        rc = bind_one(file, f->q, f->q->baseline, supply, &f->baseline);
    return rc ? rc : aim(f);
}

static void finish(struct finding *f)
{
    point_free(&f->variant.point);
    point_free(&f->baseline.point);
    f->out->number.at = NULL;
}

static int find_with(const struct scenario_file *file, struct finding *f)
{
    struct break_even *out = f->out;
    int rc = bind(file, f, 1);

    if (!rc)
        rc = range(f);
    if (!rc && !isnan(out->present)) {
        rc = speedup(f, out->present, &out->speedup);
        rc = rc < 0 ? rc : NW_OK;
    }
    return rc ? rc : find(f);
}

int break_even_check(const struct scenario_file *file, const struct break_even_question *q)
{
    struct break_even out = { .speedup = NAN };
    struct finding *f = calloc(1, sizeof(*f));
    int rc = NW_ENOMEM;

    if (f) {
        f->q = q;
        f->out = &out;
        rc = bind(file, f, 0);
        rc = rc ? rc : read_ends(f);
        finish(f);
    }
    free(f);
    return rc;
}

int break_even_find(const struct scenario_file *file, const struct break_even_question *q, struct break_even *out)
{
    struct finding *f = calloc(1, sizeof(*f)); /* the readings of two points are too much for the stack */
    int rc = NW_ENOMEM;

    *out = (struct break_even){ .speedup = NAN, .kept = NAN };
    if (f) {
        f->q = q;
        f->out = out;
        rc = find_with(file, f);
        finish(f);
    }
    free(f);
    return rc;
}

void break_even_widen(struct break_even *of, const struct break_even *again)
{
    for (size_t i = 0; i < of->found.n; i++) {
        struct break_even_crossing *c = &of->crossings[i];

        if (!of->nrefits)
            c->least = c->largest = c->at.x;
        if (again->found.n != of->found.n)
            continue;
        c->refits++;
        c->least = fmin(c->least, again->crossings[i].at.x);
        c->largest = fmax(c->largest, again->crossings[i].at.x);
    }
    of->nrefits++;
}

void break_even_free(struct break_even *b)
{
    crossings_free(&b->found);
    free(b->crossings);
    *b = (struct break_even){ 0 };
}
