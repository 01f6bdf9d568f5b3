/* sentence.c - where each variant starts to pay, in a sentence. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/count.h"
#include "harness/host/clock.h"
#include "harness/report/answer/summary.h"
#include "harness/run/break_even/break_even.h"
#include "harness/run/supply.h"
#include "harness/status.h"
#include "harness/text/legible.h"

enum { SCAN = 13, PLAYS = 56 /* of both variants, in one search */, TRIES = 3, HOPELESS = 5 };

static const double tolerance = 4e-3, longest_s = 3;

/* A search for the bandwidths at which one variant pays. */
struct searching {
    const struct answered_run *w;
    const struct answer *a;
    struct supply supply;
    const char *link;
    bool bits; /* a network's link is counted in them */
    bool slow; /* one search would take too long already */
    char path[VARY_PATH];
    double now_Bps;
};

static int supply(void *context, struct point *p)
{
    return supply_point(context, p);
}

static const struct answer_row *baseline_of(const struct answer *a)
{
    for (size_t i = 0; i < a->n; i++)
        if (a->rows[i].is_baseline)
            return &a->rows[i];
    return NULL;
}

/* Whose bandwidth is asked about; "" if nothing travels that has one. */
static const char *choose_link(const struct platform *p, const struct answer_row *variant,
                               const struct answer_row *baseline)
{
    if (platform_link(p, baseline->bound_by))
        return baseline->bound_by;
    if (p->network.topology != TOPOLOGY_SINGLE && p->machines > 1 && platform_link(p, p->network.link))
        return p->network.link;
    if (platform_link(p, variant->bound_by))
        return variant->bound_by;
    return p->gpu.count > 0 && p->gpu.link ? p->gpu.link : "";
}

static void print_rate(const struct searching *s, double Bps, char *text, size_t size)
{
    static const char *const prefixes[] = { "", "k", "M", "G", "T", "P" };
    double v = s->bits ? 8 * Bps : Bps;
    size_t i = 0;

    for (; v >= 999.5 && i + 1 < COUNT(prefixes); i++)
        v /= 1000;
    snprintf(text, size, "%.3g %s%s", v, prefixes[i], s->bits ? "bit/s" : "B/s");
}

/* "below 19 Gbit/s", "above 2 Gbit/s and below 19 Gbit/s" */
static void say_crossings(const struct searching *s, const struct break_even *b, FILE *out)
{
    char x[LEGIBLE];

    fputs("; pays at least 5 %", out);
    for (size_t i = 0; i < b->found.n; i++) {
        const struct crossing *c = &b->found.list[i];

        print_rate(s, c->x, x, sizeof(x));
        fprintf(out, "%s %s %s", !i ? "" : c->upwards ? ", and" : " and", c->upwards ? "above" : "below", x);
    }
    print_rate(s, s->now_Bps, x, sizeof(x));
    fprintf(out, " of link.%s.bandwidth, which is %s", s->link, x);
}

static void say_always(const struct searching *s, const struct break_even *b, FILE *out)
{
    char low[LEGIBLE], high[LEGIBLE];

    print_rate(s, b->low, low, sizeof(low));
    print_rate(s, b->high, high, sizeof(high));
    if (b->verdict == BREAK_EVEN_UNCHANGED)
        fprintf(out, "; link.%s.bandwidth makes no difference", s->link);
    else
        fprintf(out, "; pays %s at any link.%s.bandwidth from %s to %s",
                b->verdict == BREAK_EVEN_ALWAYS ? "at least 5 %" : "less than 5 %", s->link, low, high);
}

static int search(struct searching *s, const struct answer_row *r, const struct answer_row *baseline, FILE *out)
{
    struct break_even_question q = { .path = s->path,
                                     .variant = r->variant,
                                     .baseline = baseline->variant,
                                     .point = (size_t)r->position,
                                     .target = ANSWER_PAYS,
                                     .tolerance = tolerance,
                                     .scan = SCAN,
                                     .supply = supply,
                                     .context = &s->supply };
    struct break_even b = { 0 };
    int rc = break_even_find(s->w->file, &q, &b);

    if (!rc && b.found.n)
        say_crossings(s, &b, out);
    else if (!rc)
        say_always(s, &b, out);
    break_even_free(&b);
    return rc;
}

/* Does the search end in time? The first play of all may be a slow one. */
static bool quick(const struct searching *s, const struct scenario *sc, struct measures *m)
{
    char why[256];

    for (int i = 0; i < TRIES; i++) {
        double began_s = clock_s();

        if (measures_of(sc, m, why, sizeof(why)))
            return false;
        double all_s = (clock_s() - began_s) * PLAYS * (double)s->a->n;

        if (all_s < longest_s)
            return true;
        if (all_s > HOPELESS * longest_s)
            return false;
    }
    return false;
}

/* Has the point such a link, and can it be played again and again? */
static int aim(struct searching *s, const struct answer_row *r, const struct answer_row *baseline, bool *worth)
{
    struct point p;
    struct measures *m = calloc(1, sizeof(*m));
    int rc = m ? scenario_point(s->w->file, (size_t)r->position, &p) : NW_ENOMEM;

    *worth = false;
    if (rc) {
        free(m);
        return rc;
    }
    const struct platform *platform = &p.scenario.platform;
    const struct link_spec *link = platform_link(platform, choose_link(platform, r, baseline));
    if (link && link->bandwidth_Bps > 0) {
        s->link = link->name; /* of the file */
        s->bits = !strcmp(s->link, platform->network.link) || !strcmp(s->link, platform->network.uplink);
        s->now_Bps = link->bandwidth_Bps;
        snprintf(s->path, sizeof(s->path), "platform.link.%s.bandwidth", s->link);
        rc = supply_point(&s->supply, &p);
        *worth = !rc && !s->slow && quick(s, &p.scenario, m);
        s->slow = !*worth; /* the others are no quicker */
    }
    point_free(&p);
    free(m);
    return rc;
}

static int sentence(struct searching *s, const struct answer_row *r, const struct answer_row *baseline, FILE *out)
{
    char factor[LEGIBLE];
    bool worth = false;
    int rc = NW_OK;

    if (isnan(r->speedup))
        return NW_OK;
    fprintf(out, "%s: %s", r->variant, legible_factor(r->speedup, factor, sizeof(factor)));
    if (r->samples_per_s > 0)
        rc = aim(s, r, baseline, &worth);
    if (!rc && worth)
        rc = search(s, r, baseline, out);
    fputc('\n', out);
    return rc == NW_EINPUT ? NW_OK : rc; /* refused at every other bandwidth: said, and no reason to fail */
}

int answer_sentences(const struct answered_run *w, const struct answer *a, FILE *out)
{
    const struct answer_row *baseline = baseline_of(a);
    struct searching s = { .w = w,
                           .a = a,
                           .supply = { .file = w->file,
                                       .store = w->store,
                                       .run_id = w->run_id,
                                       .calibrations = w->calibrations,
                                       .rates = calloc(1, sizeof(struct codec_rates)) } };
    int rc = s.supply.rates ? NW_OK : NW_ENOMEM;

    if (!rc && (answer_swept(a) || !baseline))
        answer_sum_up(a, ANSWER_PAYS, out);
    else
        for (size_t i = 0; i < a->n && !rc; i++)
            if (!a->rows[i].is_baseline)
                rc = sentence(&s, &a->rows[i], baseline, out);
    free(s.supply.rates);
    return rc;
}
