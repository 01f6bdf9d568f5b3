/* table.c - what a bench prints: a line for each work, its anchor's first. */
#include <stdio.h>
#include <string.h>

#include "harness/bench/session.h"
#include "harness/measure/statistics.h"

static void table_head(const struct session *s)
{
    const char *unit = s->n >= (size_t)1 << 28 ? "GiB" : s->n >= (size_t)1 << 18 ? "MiB" : "KiB";
    double scale = s->n >= (size_t)1 << 28 ? 0x1p30 : s->n >= (size_t)1 << 18 ? 0x1p20 : 0x1p10;
    char where[48] = "on the device";

    if (!s->device)
        snprintf(where, sizeof(where), "%d thread%s", s->threads, s->threads == 1 ? "" : "s");
    fprintf(s->o->out, "\n%zu values, %.4g %s as fp32, %s\n", s->n, 4 * (double)s->n / scale, unit, where);
    fprintf(s->o->out, "%-16s %-18s %-20s %10s %8s %8s %8s %-12s %7s %6s %5s\n", "kernel", "implementation", "variant",
            "median ms", "GB/s", "Gval/s", "bits/val", "against", "ratio", "p10", "reps");
}

static void print_rate(const struct session *s, const struct work *w, double *elapsed, int reps)
{
    double median = quantile(elapsed, (size_t)reps, 0.5);

    fprintf(s->o->out, "%-16s %-18s %-20s %10.4f", w->kernel, w->impl, w->variant, 1e3 * median);
    if (w->flops > 0)
        fprintf(s->o->out, " %7.1fF %8s", 1e-9 * w->flops / median, "");
    else
        fprintf(s->o->out, " %8.2f %8.3f", 1e-9 * w->nbytes / median, 1e-9 * (double)s->n / median);
    if (w->bits > 0)
        fprintf(s->o->out, " %8.4f", w->bits);
    else
        fprintf(s->o->out, " %8s", "");
}

/* FLOP against FLOP where rates are counted in it, else bytes that must move. */
static double ratio_of(const struct work *w, double elapsed, const struct work *against, double anchor)
{
    return w->flops > 0 ? anchor / elapsed : w->nbytes / elapsed / (against->nbytes / anchor);
}

static void print_work(struct session *s, const struct timing *t, size_t i)
{
    const struct work *w = &t->works[i];

    for (int r = 0; r < t->reps; r++)
        t->scratch[r] = ratio_of(w, t->times[1 + i][r], t->against, t->times[0][r]);
    print_rate(s, w, t->times[1 + i], t->reps);
    fprintf(s->o->out, " %-12s %7.3f %6.3f %5d\n", t->against->kernel, quantile(t->scratch, (size_t)t->reps, 0.5),
            quantile(t->scratch, (size_t)t->reps, 0.1), t->reps);
}

static void print_anchor(struct session *s, const struct timing *t)
{
    memcpy(t->scratch, t->times[0], (size_t)t->reps * sizeof(*t->scratch));
    print_rate(s, t->against, t->scratch, t->reps);
    fprintf(s->o->out, " %-12s %7s %6s %5d\n", "", "", "", t->reps);
}

void table_lines(struct session *s, const struct timing *t)
{
    if (s->nlines++ == 0)
        table_head(s);
    if (t->new_anchor)
        print_anchor(s, t);
    for (size_t i = 0; i < t->nworks; i++)
        print_work(s, t, i);
    fflush(s->o->out);
}
