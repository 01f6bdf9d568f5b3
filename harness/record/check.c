#include "harness/record/check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "harness/host/clock.h"
#include "harness/record/compare.h"
#include "harness/record/match.h"
#include "harness/run/interrupt.h"
#include "harness/status.h"
#include "harness/training/run.h"

enum { MOST_THREADS = 256 };

/* What became of a job. */
struct outcome {
    bool done, same;
    size_t steps;   /* compared */
    char said[640]; /* what differs, or why it could not be trained */
};

struct checking {
    const struct record_checking *c;
    struct record_jobs jobs;
    struct outcome *outcomes; /* [jobs.n] */
    struct training_progress progress;
    int threads; /* of each training run */
    atomic_size_t next;
    atomic_int rc;
};

/* A training run that the trainer refuses differs from one that it once did. */
static int check_job(struct checking *k, size_t i)
{
    const struct record_job *job = &k->jobs.jobs[i];
    struct outcome *o = &k->outcomes[i];
    struct training_result result = { 0 };
    char why[512] = "";
    const struct training_job training = { .scenario = &job->point.scenario,
                                           .threads = k->threads,
                                           .key = "",
                                           .name = job->name,
                                           .checkpoint = "",
                                           .progress = &k->progress,
                                           .stop = interrupted,
                                           .most_steps = k->c->steps };
    int rc = training_run(&training, NULL, &result, why, sizeof(why));
    size_t n = result.record.nsteps < job->nsteps ? result.record.nsteps : job->nsteps;

    if (!rc) {
        o->same = record_compare(&k->jobs.file, job->first, result.record.steps, n, o->said, sizeof(o->said));
        o->steps = n;
    } else if (rc == NW_ESIM) {
        snprintf(o->said, sizeof(o->said), "is refused now: %s", why);
    }
    o->done = !rc || rc == NW_ESIM;
    training_result_free(&result);
    return o->done ? NW_OK : rc;
}

static void *worker(void *argument)
{
    struct checking *k = argument;

    for (size_t i; (i = atomic_fetch_add(&k->next, 1)) < k->jobs.n;) {
        int rc = interrupted() ? NW_EINTR : check_job(k, i);

        if (rc) {
            atomic_store(&k->rc, rc);
            atomic_store(&k->next, k->jobs.n);
        }
    }
    return NULL;
}

static int64_t steps_of(const struct checking *k, const struct record_job *job)
{
    return (int64_t)job->nsteps < k->c->steps ? (int64_t)job->nsteps : k->c->steps;
}

/* Side by side, as experiments train; threads beyond the number of runs are shared out among them. */
static int check_jobs(struct checking *k)
{
    pthread_t threads[MOST_THREADS];
    int started = 0, wanted = k->c->jobs < MOST_THREADS ? k->c->jobs : MOST_THREADS;
    int64_t steps = 0;
    const char *slash = strrchr(k->c->path, '/');

    wanted = (size_t)wanted > k->jobs.n ? (int)k->jobs.n : wanted;
    if (!wanted)
        return NW_OK;
    k->threads = k->c->jobs / wanted;
    for (size_t i = 0; i < k->jobs.n; i++)
        steps += steps_of(k, &k->jobs.jobs[i]);
    training_progress_begin(&k->progress, slash ? slash + 1 : k->c->path, (int)k->jobs.n, steps);
    while (started < wanted && !pthread_create(&threads[started], NULL, worker, k))
        started++;
    if (!started)
        worker(k);
    while (started)
        pthread_join(threads[--started], NULL);
    training_progress_end(&k->progress);
    return atomic_load(&k->rc);
}

struct sums {
    size_t same, same_keys, later, steps, all_steps;
};

/* What differs is printed, in the order of the record. */
static struct sums sum_up(const struct checking *k, FILE *out)
{
    struct sums s = { 0 };

    for (size_t i = 0; i < k->jobs.n; i++) {
        const struct record_job *job = &k->jobs.jobs[i];
        const struct outcome *o = &k->outcomes[i];

        s.same += o->same;
        s.same_keys += job->same_key;
        s.later += record_changes_later(&k->jobs.file, job->first, (size_t)steps_of(k, job), job->nsteps);
        s.steps += o->steps;
        s.all_steps += job->nsteps;
        if (!o->same)
            fprintf(out, "%s: %s\n", job->name, o->said);
    }
    return s;
}

static void report(const struct checking *k, const struct sums *s, double seconds, FILE *out)
{
    const struct record_jobs *j = &k->jobs;

    fprintf(out, "%s: the first %d steps of %zu training runs agree with the record, of %zu differ", k->c->path,
            (int)k->c->steps, s->same, j->n - s->same);
    if (j->unfit)
        fprintf(out, "; %zu points are of scenarios that have changed", j->unfit_points);
    fprintf(out, " (%.1f s)\n", seconds);
    if (s->same_keys < j->n)
        fprintf(out,
                "  %zu of %zu have the recorded key, and so the recorded scenario; of the others variant, swept values,"
                " seed, workers, batch, model and steps are the recorded ones\n",
                s->same_keys, j->n);
    if (s->steps < s->all_steps)
        fprintf(out, "  %zu of %zu steps were compared; later steps and evaluations were not checked\n", s->steps,
                s->all_steps);
    if (s->later)
        fprintf(
            out,
            "  in %zu training runs precision, bits of weights or learning rate change for the first time in a later"
            " step: that was not checked\n",
            s->later);
}

int record_check(const struct record_checking *c, FILE *out, bool *same, char digest[RECORD_DIGEST + 1])
{
    struct checking k = { .c = c };
    double began_s = clock_s();
    int rc = record_jobs_open(c->path, out, &k.jobs);

    *same = 0;
    k.outcomes = rc ? NULL : calloc(k.jobs.n + 1, sizeof(*k.outcomes));
    rc = rc ? rc : k.outcomes ? check_jobs(&k) : NW_ENOMEM;
    if (!rc) {
        struct sums s = sum_up(&k, out);

        report(&k, &s, clock_s() - began_s, out);
        *same = s.same == k.jobs.n && k.jobs.n && !k.jobs.unfit;
        snprintf(digest, RECORD_DIGEST + 1, "%s", k.jobs.file.head.digest);
    }
    free(k.outcomes);
    record_jobs_close(&k.jobs);
    return rc;
}
