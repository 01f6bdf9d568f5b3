/* record.c - what was timed, as facts. The same work may be timed twice: an anchor often, a kernel against two anchors.
 * Its repetitions are numbered through, and a kernel that is compared with another than the first time says so in its
 * variant, so that no summary mixes the two. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/bench/session.h"
#include "harness/status.h"
#include "harness/store/store.h"

static struct record *find(const struct ledger *l, const struct work *w, const char *variant, size_t nvalues)
{
    for (size_t i = 0; i < l->n; i++) {
        struct record *r = &l->records[i];

        if (r->nvalues == nvalues && !strcmp(r->kernel, w->kernel) && !strcmp(r->impl, w->impl) &&
            !strcmp(r->variant, variant))
            return r;
    }
    return NULL;
}

/* Note 'reps' more of this one. Returns how many there were before, or NW_ENOMEM. */
static int64_t ledger_add(struct ledger *l, const struct work *w, const char *variant, size_t nvalues, int reps)
{
    struct record *r = find(l, w, variant, nvalues);

    if (!r && l->n == l->capacity) {
        size_t capacity = l->capacity ? 2 * l->capacity : 64;
        struct record *grown = realloc(l->records, capacity * sizeof(*grown));

        if (!grown)
            return NW_ENOMEM;
        l->records = grown;
        l->capacity = capacity;
    }
    if (!r) {
        r = &l->records[l->n++];
        *r = (struct record){ .nvalues = nvalues };
        snprintf(r->kernel, sizeof(r->kernel), "%s", w->kernel);
        snprintf(r->impl, sizeof(r->impl), "%s", w->impl);
        snprintf(r->variant, sizeof(r->variant), "%s", variant);
    }
    r->reps += reps;
    return r->reps - reps;
}

void ledger_free(struct ledger *l)
{
    free(l->records);
    *l = (struct ledger){ 0 };
}

static int store_work(struct session *s, const struct work *w, const struct work *against, const char *variant)
{
    struct bench_fact fact = { .kernel = w->kernel,
                               .impl = w->impl,
                               .variant = variant,
                               .values = (int64_t)s->n,
                               .place = (int64_t)s->ledger->n,
                               .group = s->group->name,
                               .option = w->variant,
                               .threads = s->device ? 0 : s->threads,
                               .anchor = against ? against->kernel : "",
                               .anchor_impl = against ? against->impl : "",
                               .flops = w->flops,
                               .bits = w->bits };

    return store_bench_work(s->o->store, s->o->run_id, &fact);
}

/* 'against' is NULL for the anchor itself. */
static int store_reps(struct session *s, const struct timing *t, const struct work *w, const struct work *against,
                      const char *variant, const double *times, int64_t first)
{
    struct sample_fact *facts = calloc((size_t)t->reps, sizeof(*facts));
    int rc;

    if (!facts)
        return NW_ENOMEM;
    for (int r = 0; r < t->reps; r++)
        facts[r] = (struct sample_fact){ .kernel = w->kernel,
                                         .impl = w->impl,
                                         .variant = variant,
                                         .values = (int64_t)s->n,
                                         .bytes_moved = (int64_t)w->nbytes,
                                         .rep = first + r,
                                         .elapsed_ns = (int64_t)(1e9 * times[r]),
                                         .anchor_ns = against ? (int64_t)(1e9 * t->times[0][r]) : 0,
                                         .anchor_bytes = against ? (int64_t)against->nbytes : 0 };
    rc = store_samples(s->o->store, s->o->run_id, facts, (size_t)t->reps);
    free(facts);
    return rc;
}

/* "keep=3 threads=1" */
static void name_variant(const struct session *s, const struct work *w, char *text, size_t size)
{
    int n = *w->variant ? snprintf(text, size, "%s ", w->variant) : 0;

    snprintf(text + n, size - (size_t)n, s->device ? "device" : "threads=%d", s->threads);
}

static int record_one(struct session *s, const struct timing *t, struct work *w, const struct work *against,
                      const double *times, bool *new)
{
    char variant[VARIANT];
    int64_t first;
    int rc = NW_OK;

    name_variant(s, w, variant, sizeof(variant));
    if (against && find(s->ledger, w, variant, s->n)) {
        size_t length = strlen(variant);

        snprintf(variant + length, sizeof(variant) - length, " of=%s", against->kernel);
    }
    *new = !find(s->ledger, w, variant, s->n);
    first = ledger_add(s->ledger, w, variant, s->n, t->reps);
    if (first < 0)
        return (int)first;
    if (!s->o->store)
        return NW_OK;
    if (*new)
        rc = store_work(s, w, against, variant);
    return rc ? rc : store_reps(s, t, w, against, variant, times, first);
}

int record_times(struct session *s, struct timing *t)
{
    int rc = record_one(s, t, t->against, NULL, t->times[0], &t->new_anchor);
    bool new;

    for (size_t i = 0; i < t->nworks && !rc; i++)
        rc = record_one(s, t, &t->works[i], t->against, t->times[1 + i], &new);
    return rc;
}
