#include "harness/run/trace_time.h"

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "harness/run/interrupt.h"
#include "harness/run/point/key.h"
#include "harness/run/point/measures.h"
#include "harness/run/progress.h"
#include "harness/run/supply.h"
#include "harness/status.h"
#include "harness/store/trace.h"

enum { GROUPS = 50, MOST_LABEL = 160 };

/* What one entry plays: a trained scenario against a simulated one. */
struct play {
    const struct experiment *x;
    const struct scenario_file *trained, *simulated;
    const struct trained_time *entry;
    struct supply supply;
    struct progress progress;
    int64_t run_id;   /* that asks */
    int64_t recorded; /* a record's run, whose points are played instead of this program's; 0: none */
};

/* The trace of one trained point. */
struct trace {
    char key[POINT_KEY_LENGTH + 1];
    struct trace_step_fact *steps;
    size_t nsteps;
    int64_t workers, values, coded;
};

/* What a group of steps sent: bits a value that goes through a codec. */
struct sent {
    double push_bits, pull_bits;
};

static struct sent sent_by(const struct trace *t, size_t from, size_t to)
{
    double plain = 4.0 * (double)(t->values - t->coded), coded = (double)t->coded, push = 0, pull = 0;
    double times = (double)t->workers * (double)(to - from);

    for (size_t i = from; i < to; i++) {
        push += (double)t->steps[i].pushed_bytes;
        pull += (double)t->steps[i].pulled_bytes;
    }
    if (!t->coded)
        return (struct sent){ 32, 32 };
    return (struct sent){ 8 * (push / times - plain) / coded, 8 * (pull / times - plain) / coded };
}

/* A key that is not there, or has no value there, belongs to another format. */
static void set_number(struct scenario *sc, const char *path, double value)
{
    double *number = *path ? scenario_number(sc, path) : NULL;

    if (number && *number > 0)
        *number = value;
}

static int play_group(const struct play *p, const struct point *simulated, const struct sent *sent, double *seconds,
                      char *why, size_t nwhy)
{
    struct scenario sc = simulated->scenario;
    struct measures *m = calloc(1, sizeof(*m));
    int rc = m ? NW_OK : NW_ENOMEM;

    /* What a payload has besides its values, a few bytes a tensor, is the simulated format's own. */
    set_number(&sc, p->entry->push, fmin(sent->push_bits, CODEC_SPEC_MOST_BITS));
    set_number(&sc, p->entry->pull, fmin(sent->pull_bits, CODEC_SPEC_MOST_BITS));
    if (sent->pull_bits < 32)
        set_number(&sc, p->entry->weights, sent->pull_bits / 8);
    rc = rc ? rc : measures_of(&sc, m, why, nwhy);
    if (!rc)
        *seconds = measure_value(m, "step_ms") / 1e3;
    free(m);
    return rc;
}

static int play_steps(const struct play *p, const struct trace *t, const struct point *simulated,
                      struct timing_step_fact *out, size_t *nout)
{
    size_t every = p->entry->every ? (size_t)p->entry->every : (t->nsteps + GROUPS - 1) / GROUPS;
    struct sent before = { -1, -1 };
    double each = 0, seconds = 0;
    char why[256] = "";

    *nout = 0;
    for (size_t from = 0; from < t->nsteps; from += every) {
        size_t to = from + every < t->nsteps ? from + every : t->nsteps;
        struct sent sent = sent_by(t, from, to);
        int rc = NW_OK;

        if (sent.push_bits != before.push_bits || sent.pull_bits != before.pull_bits)
            rc = play_group(p, simulated, &sent, &each, why, sizeof(why));
        if (rc == NW_ESIM)
            scenario_refuse(p->simulated, simulated, why, stderr);
        if (rc)
            return rc;
        before = sent;
        seconds += each * (double)(to - from);
        out[(*nout)++] = (struct timing_step_fact){ (int64_t)to, seconds };
    }
    return NW_OK;
}

static void label_of(const struct play *p, const struct point *simulated, char *label, size_t size)
{
    size_t used = (size_t)snprintf(label, size, "%s", p->entry->label);

    for (size_t i = 0; i < simulated->nparams && used < size; i++)
        used += (size_t)snprintf(label + used, size - used, "%s%s", used ? ", " : "", simulated->params[i].text);
}

/* Of both points, and of how one is played as the other. */
static int key_of(const struct play *p, const struct trace *t, const struct point *simulated, const char *label,
                  char key[POINT_KEY_LENGTH + 1])
{
    char text[1024], other[POINT_KEY_LENGTH + 1];
    int rc = point_key(simulated, other);

    if (rc)
        return rc;
    int n = snprintf(text, sizeof(text), "%s\n%s\n%s\n%s\n%s\n%s\n%lld", t->key, other, label, p->entry->push,
                     p->entry->pull, p->entry->weights, (long long)p->entry->every);
    XXH128_hash_t hash = XXH3_128bits(text, (size_t)n < sizeof(text) ? (size_t)n : sizeof(text) - 1);
    snprintf(key, POINT_KEY_LENGTH + 1, "%016llx%016llx", (unsigned long long)hash.high64,
             (unsigned long long)hash.low64);
    return NW_OK;
}

static int time_point(struct play *p, const struct trace *t, struct point *simulated)
{
    char key[POINT_KEY_LENGTH + 1], label[MOST_LABEL];
    struct timing_step_fact *steps;
    size_t n;
    int rc = supply_point(&p->supply, simulated);

    label_of(p, simulated, label, sizeof(label));
    rc = rc ? rc : key_of(p, t, simulated, label, key);
    rc = rc ? rc : store_has_timing(p->x->store, key);
    if (rc)
        return rc < 0 ? rc : NW_OK;
    steps = calloc(t->nsteps + 1, sizeof(*steps));
    rc = steps ? play_steps(p, t, simulated, steps, &n) : NW_ENOMEM;
    if (!rc) {
        struct timing_fact fact = { key, t->key, label, scenario_name(p->simulated), steps, n };

        rc = store_timing(p->x->store, p->run_id, &fact);
    }
    free(steps);
    return rc;
}

/* As every simulated point of its variant. */
static int time_trace(struct play *p, const struct trace *t, const char *variant)
{
    int rc = NW_OK;

    for (size_t i = 0; i < scenario_npoints(p->simulated) && !rc; i++) {
        struct point simulated;

        rc = interrupted() ? NW_EINTR : scenario_point(p->simulated, i, &simulated);
        if (rc)
            return rc;
        if (!*simulated.variant || !strcmp(simulated.variant, variant))
            rc = time_point(p, t, &simulated);
        point_free(&simulated);
    }
    return rc;
}

/* 1; 0 if a record has no such point; or negative. */
static int key_of_trained(const struct play *p, const struct point *point, char key[POINT_KEY_LENGTH + 1])
{
    int rc;

    if (p->recorded)
        return store_listed_key(p->x->store, p->recorded, point->index, point->variant, key);
    rc = point_key(point, key);
    return rc ? rc : 1;
}

static int time_trained(struct play *p, size_t index)
{
    struct trace t = { 0 };
    struct point point;
    int rc = scenario_point(p->trained, index, &point);

    if (rc)
        return rc;
    rc = key_of_trained(p, &point, t.key);
    if (rc == 1)
        rc = store_trace_steps(p->x->store, t.key, &t.steps, &t.nsteps, &t.workers);
    if (rc == 1)
        rc = store_trace_values(p->x->store, t.key, &t.values, &t.coded);
    if (rc == 1)
        rc = time_trace(p, &t, point.variant);
    free(t.steps);
    point_free(&point);
    return rc;
}

int trace_time_open(const struct trained_time *entry, FILE *err, struct scenario_file **out)
{
    return scenario_open(entry->scenario, NULL, 0, NULL, 0, err, out);
}

static int play_entry(const struct experiment *x, const struct scenario_file *trained, const struct trained_time *entry,
                      int64_t run_id, int64_t recorded)
{
    struct play p = { .x = x, .trained = trained, .entry = entry, .run_id = run_id, .recorded = recorded };
    const char *db = sqlite3_db_filename(store_handle(x->store), "main");
    struct scenario_file *simulated = NULL;
    size_t n = scenario_npoints(trained);
    int rc = trace_time_open(entry, stderr, &simulated);

    if (rc)
        return rc;
    p.simulated = simulated;
    rc = supply_open(&p.supply, simulated, db, "time", "", x->command);
    if (recorded) /* that did not ask for what is simulated here */
        p.run_id = p.supply.run_id;
    progress_begin(&p.progress, scenario_name(simulated), n);
    for (size_t i = 0; i < n && !rc; i++) {
        rc = time_trained(&p, i);
        progress_step(&p.progress, i + 1);
    }
    progress_end(&p.progress);
    rc = supply_close(&p.supply, rc);
    scenario_close(simulated);
    return rc;
}

static int play_entries(const struct experiment *x, const struct scenario_file *trained, int64_t run_id,
                        int64_t recorded)
{
    const struct trained_time *entries;
    size_t n = scenario_times(trained, &entries);
    int rc = NW_OK;

    for (size_t i = 0; i < n && !rc; i++)
        rc = play_entry(x, trained, &entries[i], run_id, recorded);
    return rc;
}

int trace_time(const struct experiment *x, const struct scenario_file *trained, int64_t run_id)
{
    return play_entries(x, trained, run_id, 0);
}

int trace_time_recorded(const struct experiment *x, const struct scenario_file *trained, int64_t recorded)
{
    return play_entries(x, trained, 0, recorded);
}
