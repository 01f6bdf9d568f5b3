#include "harness/run/experiment.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/host/clock.h"
#include "harness/run/codec/rate.h"
#include "harness/run/interrupt.h"
#include "harness/run/leave_out.h"
#include "harness/run/point/facts.h"
#include "harness/run/point/key.h"
#include "harness/run/point/measures.h"
#include "harness/run/point/planned.h"
#include "harness/run/point/trained.h"
#include "harness/run/precheck.h"
#include "harness/run/progress.h"
#include "harness/run/ranked.h"
#include "harness/status.h"

enum { CHUNK = 512, MAX_JOBS = 256 };

/* A point on its way through: bound, keyed, then either listed as present or simulated or trained, and stored. */
struct work {
    struct point point;
    char key[POINT_KEY_LENGTH + 1];
    struct measures measures;
    struct timeline timeline; /* of traffic (each flow's end), and of a memory plan whose detail is asked for */
    struct timeline_fact tasks;
    struct planned planned; /* of a memory plan whose detail is asked for */
    struct plan_rows plan;
    struct point_facts facts;
    size_t ncells; /* to store: none for an altered scenario */
    char why[512];
    struct trained_job training; /* of a point that is trained */
    char name[96];               /* as its progress shows it */
    struct training_result trained;
    int rc;
    bool bound, present;
    atomic_bool done;
};

struct chunk {
    const struct scenario_file *file;
    struct work *work;
    const size_t *points; /* NULL: the next ones from 'first' */
    size_t first, count;
    int jobs; /* points at a time */
    atomic_size_t next;
    int (*step)(const struct scenario_file *file, size_t index, struct work *w);
    pthread_mutex_t mutex;
    pthread_cond_t finished;
};

struct play {
    const struct experiment *x;
    const struct scenario_file *file;
    struct codec_rates rates;
    struct progress progress;
    struct experiment_result *result;
};

static int bind_point(const struct scenario_file *file, size_t index, struct work *w)
{
    int rc = scenario_point(file, index, &w->point);

    if (rc)
        return rc;
    w->bound = true;
    return point_facts_make(&w->point, &w->facts);
}

static int simulate(const struct scenario *sc, struct work *w)
{
    bool detailed_plan = sc->method.kind == METHOD_MEMORY_PLAN && sc->method.memory_planned.detail;

    if (sc->method.kind != METHOD_FLOWS && !detailed_plan)
        return measures_of(sc, &w->measures, w->why, sizeof(w->why));
    int rc = measures_and_timeline(sc, &w->measures, &w->timeline, w->why, sizeof(w->why));
    if (!rc)
        rc = tasks_of(&w->timeline, &w->tasks);
    if (!rc && detailed_plan)
        rc = planned_make(sc, 0, &w->planned, w->why, sizeof(w->why));
    return rc || !detailed_plan ? rc : plan_rows_of(&w->planned, &w->plan);
}

static int compute(const struct scenario_file *file, size_t index, struct work *w)
{
    const struct scenario *sc = &w->point.scenario;
    int rc = NW_OK;

    if (w->present)
        return NW_OK;
    if (sc->simulated)
        rc = simulate(sc, w);
    if (!rc && sc->trained && w->training.ranks)
        rc = ranked_order(file, index, &w->training.order);
    if (!rc && sc->trained)
        rc = trained_measure(&w->training, &w->measures, &w->trained, w->why, sizeof(w->why));
    return rc;
}

static void *worker(void *argument)
{
    struct chunk *c = argument;

    for (size_t i; (i = atomic_fetch_add(&c->next, 1)) < c->count;) {
        c->work[i].rc = interrupted()
                            ? NW_EINTR
                            : c->step(c->file, c->points ? c->points[c->first + i] : c->first + i, &c->work[i]);
        if (c->work[i].rc)
            atomic_store(&c->next, c->count); /* what comes after it would be in vain, and may take hours */
        pthread_mutex_lock(&c->mutex);
        atomic_store(&c->work[i].done, 1);
        pthread_cond_signal(&c->finished);
        pthread_mutex_unlock(&c->mutex);
    }
    return NULL;
}

/* Run 'step' over the chunk on its number of threads; 'take', if given, gets each point on this thread, in order. */
static int over_chunk(struct play *p, struct chunk *c, int (*step)(const struct scenario_file *, size_t, struct work *),
                      int (*take)(struct play *, struct work *))
{
    pthread_t threads[MAX_JOBS];
    int started = 0, rc = NW_OK;
    int jobs = c->jobs < MAX_JOBS ? c->jobs : MAX_JOBS;

    atomic_store(&c->next, 0);
    c->step = step;
    for (size_t i = 0; i < c->count; i++)
        atomic_store(&c->work[i].done, 0);
    while (started < jobs && !pthread_create(&threads[started], NULL, worker, c))
        started++;
    if (!started)
        worker(c); /* no thread to be had: do it here */
    for (size_t i = 0; i < c->count; i++) {
        pthread_mutex_lock(&c->mutex);
        while (!atomic_load(&c->work[i].done))
            pthread_cond_wait(&c->finished, &c->mutex);
        pthread_mutex_unlock(&c->mutex);
        if (!rc)
            rc = c->work[i].rc;
        if (!rc && take)
            rc = take(p, &c->work[i]);
        if (rc) {
            atomic_store(&c->next, c->count); /* take no more; the ones begun still finish */
            break;
        }
    }
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    return rc;
}

static struct point_fact fact_of(const struct work *w)
{
    struct point_fact fact = point_fact_of(&w->point, &w->facts, w->ncells, w->key, &w->measures);

    fact.timeline = w->tasks.tasks ? &w->tasks : NULL;
    fact.plan = w->plan.steps ? &w->plan.fact : NULL;
    fact.training = w->trained.fact.model ? &w->trained.fact : NULL;
    return fact;
}

static int check_cells(const struct play *p, const struct work *w)
{
    for (size_t i = 0; i < w->ncells; i++)
        if (!measure_known(w->facts.cells[i].measure))
            return status_error(NW_EINPUT, "%s: compare: expected the name of a measure, got '%s'\n",
                                scenario_path(p->file), w->facts.cells[i].measure);
    return NW_OK;
}

/* On the calling thread, in order: constants are fitted once per platform, rates measured once per format. */
static int supply(struct play *p, struct work *w)
{
    w->ncells = p->x->altered ? 0 : w->point.ncells;
    int rc = check_cells(p, w);
    if (!rc)
        rc = calibration_prepare(p->x->calibrations, p->x->store, p->result->run_id, p->file, &w->point);

    if (!rc)
        rc = calibration_supply(p->x->calibrations, p->file, &w->point);
    if (!rc)
        scenario_renew_rates(&w->point, NULL);
    if (!rc && w->point.scenario.simulated)
        rc = codec_rate_prepare(&p->rates, p->x->store, p->result->run_id, &w->point, w->why, sizeof(w->why));
    if (!rc && w->point.scenario.simulated)
        codec_rate_supply(&p->rates, &w->point);
    return rc;
}

static int make_key(const struct scenario_file *file, size_t index, struct work *w)
{
    (void)file;
    (void)index;
    return point_key(&w->point, w->key);
}

static int put(struct play *p, struct work *w)
{
    struct point_fact fact = fact_of(w);
    int rc = w->present ? NW_OK : store_point(p->x->store, p->result->run_id, &fact);

    if (rc)
        return rc;
    p->result->computed += !w->present;
    p->result->present += w->present;
    if (!scenario_trained(p->file))
        progress_step(&p->progress, p->result->computed + p->result->present);
    return NW_OK;
}

static int list_present(struct play *p, struct chunk *c)
{
    struct point_fact *facts = calloc(c->count, sizeof(*facts));
    bool *present = calloc(c->count, sizeof(*present));
    int rc = NW_ENOMEM;

    if (facts && present) {
        for (size_t i = 0; i < c->count; i++)
            facts[i] = fact_of(&c->work[i]);
        rc = store_claim_existing(p->x->store, p->result->run_id, facts, c->count, present);
        for (size_t i = 0; !rc && i < c->count; i++)
            c->work[i].present = present[i];
    }
    free(facts);
    free(present);
    return rc;
}

static void explain(const struct play *p, const struct chunk *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->work[i].why[0]) {
            scenario_refuse(p->file, &c->work[i].point, c->work[i].why, stderr);
            return;
        }
}

/* "3LC (s=1.00), seed 2": what is swept, and which variant. */
static void name_training(struct work *w)
{
    size_t used = (size_t)snprintf(w->name, sizeof(w->name), "%s", w->point.variant);

    for (size_t i = 0; i < w->point.nparams && used < sizeof(w->name); i++) {
        const char *path = w->point.params[i].path, *dot = strrchr(path, '.');

        used += (size_t)snprintf(w->name + used, sizeof(w->name) - used, "%s%s %s", used ? ", " : "",
                                 dot ? dot + 1 : path, w->point.params[i].text);
    }
}

/* Training runs go side by side: many runs of one thread each are quicker than one run after another on many threads.
 * Threads beyond the number of runs are shared out among them. Ranks all work on one run at a time. */
static int train_chunk(struct play *p, struct chunk *c)
{
    struct training_progress progress;
    int64_t steps = 0;
    int pending = 0, rc;

    for (size_t i = 0; i < c->count; i++)
        if (!c->work[i].present) {
            pending++;
            steps += trained_steps(&c->work[i].point.scenario);
        }
    c->jobs = pending < p->x->jobs ? pending : p->x->jobs;
    c->jobs = c->jobs && !p->x->ranks ? c->jobs : 1;
    for (size_t i = 0; i < c->count; i++) {
        struct work *w = &c->work[i];

        name_training(w);
        w->training = (struct trained_job){ .scenario = &w->point.scenario,
                                            .threads = p->x->ranks ? ranks_threads(p->x->jobs) : p->x->jobs / c->jobs,
                                            .key = w->key,
                                            .name = w->name,
                                            .db = sqlite3_db_filename(store_handle(p->x->store), "main"),
                                            .progress = &progress,
                                            .ranks = p->x->ranks };
    }
    training_progress_begin(&progress, scenario_name(p->file), pending, steps);
    rc = over_chunk(p, c, compute, put);
    training_progress_end(&progress);
    return rc;
}

/* Those of the chunk that are not stored. */
static int note_missing(struct experiment_missing *missing, const struct chunk *c)
{
    size_t *points = realloc(missing->points, (missing->n + c->count) * sizeof(*points));

    if (!points)
        return NW_ENOMEM;
    missing->points = points;
    for (size_t i = 0; i < c->count; i++)
        if (!c->work[i].present)
            points[missing->n++] = c->points ? c->points[c->first + i] : c->first + i;
    return NW_OK;
}

static int compute_chunk(struct play *p, struct chunk *c)
{
    if (p->x->missing)
        return note_missing(p->x->missing, c);
    return scenario_trained(c->file) ? train_chunk(p, c) : over_chunk(p, c, compute, put);
}

static int play_chunk(struct play *p, struct chunk *c)
{
    int rc;

    c->jobs = p->x->jobs;
    rc = over_chunk(p, c, bind_point, supply);
    if (!rc)
        rc = over_chunk(p, c, make_key, NULL);
    if (!rc)
        rc = list_present(p, c);
    if (!rc)
        rc = compute_chunk(p, c);
    if (rc == NW_ESIM)
        explain(p, c);
    for (size_t i = 0; i < c->count; i++) {
        if (c->work[i].bound)
            point_free(&c->work[i].point);
        tasks_free(&c->work[i].tasks);
        plan_rows_free(&c->work[i].plan);
        planned_free(&c->work[i].planned);
        training_result_free(&c->work[i].trained);
        timeline_free(&c->work[i].timeline);
        point_facts_free(&c->work[i].facts);
    }
    return rc;
}

static size_t played(const struct experiment *x, const struct scenario_file *file)
{
    return x->points ? x->npoints : scenario_npoints(file);
}

static int play_all(struct play *p)
{
    size_t n = played(p->x, p->file);
    struct chunk c = { .file = p->file, .points = p->x->points, .work = calloc(CHUNK, sizeof(struct work)) };
    int rc = c.work ? NW_OK : NW_ENOMEM;

    pthread_mutex_init(&c.mutex, NULL);
    pthread_cond_init(&c.finished, NULL);
    for (c.first = 0; !rc && c.first < n; c.first += CHUNK) {
        c.count = n - c.first < CHUNK ? n - c.first : CHUNK;
        memset(c.work, 0, CHUNK * sizeof(struct work));
        rc = interrupted() ? NW_EINTR : play_chunk(p, &c);
    }
    pthread_cond_destroy(&c.finished);
    pthread_mutex_destroy(&c.mutex);
    free(c.work);
    return rc;
}

int experiment_run(const struct experiment *x, const struct scenario_file *file, struct experiment_result *out)
{
    struct experiment_result result = { .run_id = x->run_id };
    struct play p = { .x = x, .file = file, .result = &result };
    double began_s = clock_s();
    int rc = x->run_id ? NW_OK : experiment_begin(x, file, &result.run_id);

    if (rc)
        return rc;
    progress_begin(&p.progress, scenario_name(file), played(x, file));
    p.progress.quiet |= x->part; /* whoever has the whole shows it */
    rc = play_all(&p);
    progress_end(&p.progress);
    if (!rc && !x->part && !x->missing) {
        rc = leave_out(x, file, &p.rates, result.run_id);
        rc = rc ? rc : store_run_finished(x->store, result.run_id);
    }
    result.seconds = clock_s() - began_s;
    result.measured = codec_rate_known(&p.rates);
    *out = result;
    return rc;
}
