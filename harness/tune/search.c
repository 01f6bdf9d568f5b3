#include "harness/tune/search.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/host/clock.h"
#include "harness/run/interrupt.h"
#include "harness/run/progress.h"
#include "harness/status.h"
#include "model/status.h"
#include "sim/method/sharded/survey.h"

enum { WAVE = 8, MAX_JOBS = 256, LOOKS = 256 /* between two looks at whether to stop */ };

struct work {
    size_t block;
    struct tuned_block result;
    bool done;
};

struct wave {
    const struct layouts *space;
    const struct search_options *o;
    double most_ps; /* of the best of the waves before */
    struct work *work;
    size_t n;
    atomic_size_t next;
    atomic_int rc;
};

static void keep(struct tuned_block *b, size_t top, struct tuned_layout one)
{
    size_t i = b->nbest < top ? b->nbest++ : top;

    if (i == top) {
        const struct tuned_layout *last = &b->best[top - 1];
        if (one.step_ps > last->step_ps || (one.step_ps == last->step_ps && one.layout > last->layout))
            return;
        i = top - 1;
    }
    for (; i && (b->best[i - 1].step_ps > one.step_ps ||
                 (b->best[i - 1].step_ps == one.step_ps && b->best[i - 1].layout > one.layout));
         i--)
        b->best[i] = b->best[i - 1];
    b->best[i] = one;
}

static double worst_ps(const struct tuned_block *b, size_t top)
{
    return b->nbest == top ? b->best[top - 1].step_ps : INFINITY;
}

static void count(struct tuned_block *b, size_t top, const struct survey_view *view, size_t point)
{
    b->layouts++;
    switch (view->end) {
    case SURVEY_REFUSED: b->refused++; break;
    case SURVEY_FULL: b->unfit++; break;
    case SURVEY_SLOWER: b->slower++; break;
    default: keep(b, top, (struct tuned_layout){ point, view->step_ps }); break;
    }
}

static int search_block(const struct wave *w, struct survey *survey, struct work *out)
{
    const struct layouts *s = w->space;
    struct method *method = malloc(sizeof(*method));
    struct job job = s->job;
    size_t point;
    int rc = method ? NW_OK : NW_ENOMEM;

    if (method)
        *method = *s->job.method;
    job.method = method;
    for (size_t i = 0; !rc && i < s->block_size; i++) {
        double most = fmin(w->most_ps, worst_ps(&out->result, w->o->top));
        struct survey_view view;
        if (!(i % LOOKS) && interrupted())
            rc = NW_EINTR;
        if (rc || !layouts_at(s, out->block, i, &method->sharded, &point))
            continue;
        if (survey_look(survey, &job, w->o->all ? INFINITY : most, false, &view))
            rc = NW_ENOMEM;
        else
            count(&out->result, w->o->top, &view, point);
    }
    out->done = !rc;
    free(method);
    return rc;
}

static void *worker(void *argument)
{
    struct wave *w = argument;
    struct survey *survey;
    char why[256];
    int rc = survey_new(w->space->job.platform, &survey, why, sizeof(why)) ? NW_ENOMEM : NW_OK;

    for (size_t i; !rc && !atomic_load(&w->rc) && (i = atomic_fetch_add(&w->next, 1)) < w->n;)
        rc = search_block(w, survey, &w->work[i]);
    if (rc)
        atomic_store(&w->rc, rc);
    survey_free(survey);
    return NULL;
}

static void over_threads(struct wave *w, int jobs)
{
    pthread_t threads[MAX_JOBS];
    int started = 0;

    jobs = jobs < MAX_JOBS ? jobs : MAX_JOBS;
    while (started + 1 < jobs && (size_t)started + 1 < w->n && !pthread_create(&threads[started], NULL, worker, w))
        started++;
    worker(w);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}

static void add_up(struct search_result *out, size_t top, const struct tuned_block *b)
{
    out->total.layouts += b->layouts;
    out->total.refused += b->refused;
    out->total.unfit += b->unfit;
    out->total.slower += b->slower;
    for (size_t i = 0; i < b->nbest; i++)
        keep(&out->total, top, b->best[i]);
}

/* The blocks first .. first + n: those that are stored are read, the others computed and stored. */
static int run_wave(struct wave *w, const char *key, size_t first, size_t n, struct search_result *out)
{
    struct store *store = w->space->supply.store;
    struct work work[WAVE], all[WAVE];
    size_t of[WAVE];
    int rc = NW_OK, found;

    w->n = 0;
    for (size_t i = 0; !rc && i < n; i++) {
        all[i] = (struct work){ .block = first + i };
        found = w->o->all ? 0 : store_tuned_find(store, key, first + i, &all[i].result);
        out->present += found == 1;
        of[w->n] = i;
        if (found < 0)
            rc = found;
        else if (!found)
            work[w->n++] = (struct work){ .block = first + i };
    }
    w->work = work;
    atomic_store(&w->next, 0);
    atomic_store(&w->rc, NW_OK);
    if (!rc && w->n)
        over_threads(w, w->o->jobs);
    for (size_t i = 0; !rc && i < w->n; i++) {
        all[of[i]] = work[i];
        if (work[i].done && !w->o->all)
            rc = store_tuned(store, key, work[i].block, &work[i].result);
    }
    rc = rc ? rc : atomic_load(&w->rc);
    for (size_t i = 0; !rc && i < n; i++)
        add_up(out, w->o->top, &all[i].result);
    return rc;
}

static int key_of(const struct layouts *s, const struct search_options *o, char *key, size_t size)
{
    char digest[LAYOUTS_KEY + 1];
    int rc = layouts_key(s, digest);

    if (!rc)
        snprintf(key, size, "%s best %zu%s", digest, o->top, s->idle ? " idle" : "");
    return rc;
}

int tune_search(const struct layouts *s, const struct search_options *o, struct search_result *out)
{
    struct wave w = { .space = s, .o = o, .most_ps = INFINITY };
    struct progress progress;
    char key[LAYOUTS_KEY + 32];
    double began_s = clock_s();
    int rc = key_of(s, o, key, sizeof(key));

    *out = (struct search_result){ .blocks = s->nblocks };
    progress_begin(&progress, scenario_name(s->file), s->nblocks * s->block_size);
    for (size_t b = 0; !rc && b < s->nblocks; b += WAVE) {
        size_t n = s->nblocks - b < WAVE ? s->nblocks - b : WAVE;
        rc = run_wave(&w, key, b, n, out);
        w.most_ps = worst_ps(&out->total, o->top);
        progress_step(&progress, (b + n) * s->block_size);
    }
    progress_end(&progress);
    out->seconds = clock_s() - began_s;
    return rc;
}
