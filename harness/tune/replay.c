#include "harness/tune/replay.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "harness/run/interrupt.h"
#include "harness/run/point/facts.h"
#include "harness/run/point/key.h"
#include "harness/run/point/measures.h"
#include "harness/status.h"
#include "harness/tune/binds.h"

/* A pass of a unit is some tens of tasks, about 80 KiB: of all that are played at once, unless one alone has more. */
enum { MAX_JOBS = 256, MOST_PASSES = 1000 };

struct played {
    struct point point;
    int64_t passes;
    struct measures measures;
    char why[256];
    int rc;
};

struct plays {
    struct played *list;
    size_t n, next;
    int64_t passes; /* of those that are being played */
    pthread_mutex_t mutex;
    pthread_cond_t ended;
};

/* The next one, as soon as it may; NULL: none is left. */
static struct played *begin(struct plays *p)
{
    struct played *one = NULL;

    pthread_mutex_lock(&p->mutex);
    while (p->next < p->n && p->passes && p->passes + p->list[p->next].passes > MOST_PASSES)
        pthread_cond_wait(&p->ended, &p->mutex);
    if (p->next < p->n) {
        one = &p->list[p->next++];
        p->passes += one->passes;
    }
    pthread_mutex_unlock(&p->mutex);
    return one;
}

static void end(struct plays *p, const struct played *one)
{
    pthread_mutex_lock(&p->mutex);
    p->passes -= one->passes;
    pthread_cond_broadcast(&p->ended);
    pthread_mutex_unlock(&p->mutex);
}

static void *worker(void *argument)
{
    struct plays *p = argument;

    for (struct played *one; (one = begin(p)) != NULL; end(p, one))
        one->rc =
            interrupted() ? NW_EINTR : measures_of(&one->point.scenario, &one->measures, one->why, sizeof(one->why));
    return NULL;
}

static void over_threads(struct plays *p, int jobs)
{
    pthread_t threads[MAX_JOBS];
    int started = 0;

    pthread_mutex_init(&p->mutex, NULL);
    pthread_cond_init(&p->ended, NULL);
    jobs = jobs < MAX_JOBS ? jobs : MAX_JOBS;
    while (started + 1 < jobs && (size_t)started + 1 < p->n && !pthread_create(&threads[started], NULL, worker, p))
        started++;
    worker(p);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    pthread_cond_destroy(&p->ended);
    pthread_mutex_destroy(&p->mutex);
}

static int put(struct layouts *s, const struct played *p)
{
    struct point_facts facts = { NULL, NULL };
    char key[POINT_KEY_LENGTH + 1];
    int rc = point_facts_make(&p->point, &facts);

    rc = rc ? rc : point_key(&p->point, key);
    if (!rc) {
        struct point_fact fact = point_fact_of(&p->point, &facts, 0, key, &p->measures);
        rc = store_point(s->supply.store, s->supply.run_id, &fact);
    }
    point_facts_free(&facts);
    return rc;
}

static void read_row(const struct played *p, struct tuned_row *r)
{
    r->step_ms = measure_value(&p->measures, "step_ms");
    r->tokens_per_s = measure_value(&p->measures, "tokens_per_s_gpu");
    r->mfu = measure_value(&p->measures, "mfu");
    r->memory_bytes = measure_value(&p->measures, "memory_bytes");
    r->memory_limit_bytes = r->closed.memory_limit;
}

static int by_step(const void *a, const void *b)
{
    const struct tuned_row *x = a, *y = b;

    if (x->step_ms != y->step_ms)
        return x->step_ms < y->step_ms ? -1 : 1;
    return (x->layout > y->layout) - (x->layout < y->layout);
}

/* What can only be asked of a closed form, and what keeps a faster neighbour out. */
static int look(struct layouts *s, struct replay *r)
{
    struct survey *survey = NULL;
    char why[256] = "";
    int rc = survey_new(s->job.platform, &survey, why, sizeof(why)) ? NW_ENOMEM : NW_OK;

    for (size_t i = 0; !rc && i < r->n; i++)
        rc = tuned_binds(s, survey, &r->rows[i]);
    survey_free(survey);
    return rc;
}

static int prepare(struct layouts *s, const struct tuned_block *found, struct plays *p, struct replay *out)
{
    int rc = NW_OK;

    for (size_t i = 0; !rc && i < found->nbest; i++) {
        struct played *one = &p->list[p->n];
        rc = layouts_point(s, found->best[i].layout, &one->point);
        if (rc)
            break;
        p->n++;
        if (one->point.scenario.method.sharded.play == PLAY_CLOSED)
            one->point.scenario.method.sharded.play = PLAY_FOLDED;
        out->rows[i] = (struct tuned_row){ .layout = found->best[i].layout };
        layouts_method(s, found->best[i].layout, &out->rows[i].m);
    }
    out->n = p->n;
    return rc;
}

/* Of all stages, forward and backward. */
static int64_t passes_of(const struct layouts *s, const struct tuned_row *r)
{
    int64_t layers = s->model.gpt.hidden ? s->model.gpt.layers : (int64_t)s->model.nlayers;

    return 2 * layers * (s->job.batch / (r->closed.layout.degree[AXIS_DATA] * r->m.micro_batch));
}

int replay_run(struct layouts *s, const struct search_result *found, int jobs, struct replay *out)
{
    const struct tuned_block *best = &found->total;
    struct plays p = { .list = calloc(best->nbest + 1, sizeof(*p.list)) };
    int rc = NW_ENOMEM;

    *out = (struct replay){ calloc(best->nbest + 1, sizeof(*out->rows)), 0 };
    if (p.list && out->rows)
        rc = prepare(s, best, &p, out);
    rc = rc ? rc : look(s, out);
    for (size_t i = 0; !rc && i < p.n; i++)
        p.list[i].passes = passes_of(s, &out->rows[i]);
    if (!rc)
        over_threads(&p, jobs);
    for (size_t i = 0; !rc && i < p.n; i++) {
        rc = p.list[i].rc;
        if (rc == NW_ESIM)
            scenario_refuse(s->file, &p.list[i].point, p.list[i].why, stderr);
        rc = rc ? rc : put(s, &p.list[i]);
        read_row(&p.list[i], &out->rows[i]);
    }
    for (size_t i = 0; i < p.n; i++)
        point_free(&p.list[i].point);
    free(p.list);
    if (!rc)
        qsort(out->rows, out->n, sizeof(*out->rows), by_step);
    return rc;
}

void replay_free(struct replay *r)
{
    free(r->rows);
    *r = (struct replay){ NULL, 0 };
}
