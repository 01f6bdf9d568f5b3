#include "harness/bench/train/ours.h"

#include <stdbool.h>
#include <stdio.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "harness/status.h"

static int open_part(struct ours *o, size_t i, char *why, size_t nwhy)
{
    struct network *n = &o->parts[i];
    int rc = trainer_open(&n->options.trainer, &n->model, n->samples, &o->trainers[i], why, nwhy);

    return rc ? rc : record_open(o->trainers[i], &o->records[i]);
}

static int open(void *context, int64_t *parameters, char *why, size_t nwhy)
{
    struct ours *o = context;
    int rc = 0;

#ifdef _OPENMP
    omp_set_num_threads(o->threads);
#endif
    for (size_t i = 0; i < o->nparts && !rc; i++)
        rc = open_part(o, i, why, nwhy);
    if (!rc && *o->traces.folder)
        rc = traces_open(&o->traces);
    *parameters = ours_parameters(o);
    return rc;
}

/* As a point's training goes, without evaluations and checkpoints. */
static int one_step(struct ours *o, size_t i, char *why, size_t nwhy)
{
    struct trainer *t = o->trainers[i];
    int64_t every = o->parts[i].point.scenario.training.trace_every;
    bool traced = every > 0 && trainer_steps_done(t) % every == 0;
    struct step_report report;

    trainer_count_zeros(t, traced);
    if (trainer_step(t, &report)) {
        snprintf(why, nwhy, "%s", trainer_why(t));
        return NW_ESIM;
    }
    report.step -= o->before;
    return record_step(&o->records[i], t, &o->parts[i].options.trainer.mask, &report, traced);
}

static int put_traces(struct ours *o, char *why, size_t nwhy)
{
    int rc = NW_OK;

    for (size_t i = 0; i < o->nparts && !rc; i++)
        rc = traces_put(&o->traces, &o->parts[i], o->trainers[i], &o->records[i]);
    if (rc)
        snprintf(why, nwhy, "its traces could not be written");
    return rc;
}

static int steps(void *context, int64_t n, char *why, size_t nwhy)
{
    struct ours *o = context;
    int rc = 0;

    for (int64_t k = 0; k < n && !rc; k++)
        for (size_t i = 0; i < o->nparts && !rc; i++)
            rc = one_step(o, i, why, nwhy);
    if (!rc && *o->traces.folder) {
        rc = put_traces(o, why, nwhy);
        o->before += n;
    }
    return rc;
}

struct side_work ours_work(struct ours *prepared)
{
    return (struct side_work){ .open = open, .steps = steps, .context = prepared, .threads = prepared->threads };
}

int64_t ours_samples(const struct ours *o)
{
    const struct trainer_options *t = &o->parts[0].options.trainer;

    return t->workers * t->batch;
}

int64_t ours_parameters(const struct ours *o)
{
    int64_t n = 0;

    for (size_t i = 0; i < o->nparts; i++)
        n += o->parts[i].model.weights + o->parts[i].model.biases + o->parts[i].model.table_values;
    return n;
}

int ours_prepare(const struct network_kind *kind, const char *const *sets, size_t nsets, bool as_needed, int threads,
                 struct ours *out)
{
    int rc = NW_OK;

    *out = (struct ours){ .nparts = kind->nparts, .threads = threads };
    for (size_t i = 0; i < kind->nparts && !rc; i++)
        rc = network_open(&kind->parts[i], sets, nsets, threads, as_needed, &out->parts[i]);
    if (!rc && out->parts[0].point.scenario.training.trace_every > 0)
        rc = traces_make(&out->traces);
    if (rc)
        ours_close(out);
    return rc;
}

void ours_close(struct ours *o)
{
    for (size_t i = 0; i < o->nparts; i++) {
        trainer_close(o->trainers[i]);
        record_close(&o->records[i]);
        network_close(&o->parts[i]);
    }
    traces_remove(&o->traces);
    *o = (struct ours){ 0 };
}
