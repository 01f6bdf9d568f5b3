#include "harness/training/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "harness/data/data.h"
#include "harness/data/readers.h"
#include "harness/status.h"
#include "harness/training/check.h"
#include "harness/training/options.h"
#include "harness/training/state.h"
#include "model/status.h"
#include "train/data/translation/translation.h"

/* A training run. */
struct run {
    const struct training_job *job;
    const struct training *training;
    struct model model;
    struct training_options options;
    struct data_source *data;
    struct trainer *trainer;
    struct training_record *record;
    struct training_live live;
    int64_t steps, end, begun;      /* of the schedule; those to do; done before this process */
    struct evaluation last, learnt; /* of test samples, of training samples */
    char *why;
    size_t nwhy;
};

static int failed(const struct run *r, int rc)
{
    if (rc == E_NOMEM)
        return NW_ENOMEM;
    if (rc == E_INVAL)
        return training_refuse(r->why, r->nwhy, "training.%s", trainer_why(r->trainer));
    return training_refuse(r->why, r->nwhy, "%s", trainer_why(r->trainer)); /* from a file or a backend */
}

static int open_model(struct run *r)
{
    char reason[256] = "";
    int rc = model_infer(&r->job->scenario->model, &r->model, reason, sizeof(reason));

    if (rc == E_NOMEM)
        return NW_ENOMEM;
    return rc ? training_refuse(r->why, r->nwhy, "model: %s", reason) : NW_OK;
}

static int open_data(struct run *r)
{
    char reason[512] = "";
    int rc = data_open(&r->options.data, &r->data, reason, sizeof(reason));

    if (rc == E_NOMEM)
        return NW_ENOMEM;
    return rc ? training_refuse(r->why, r->nwhy, "training.data: %s", reason) : NW_OK;
}

static int open_trainer(struct run *r)
{
    struct trainer_options *o = &r->options.trainer;
    char reason[512] = "";
    int rc;

    r->steps = training_steps(r->training, r->data->count[DATA_TRAIN]);
    r->end = r->job->most_steps && r->job->most_steps < r->steps ? r->job->most_steps : r->steps;
    o->rate.steps = r->steps;
    o->peers = ranks_begin(r->job->ranks, r->job->stop);
    rc = trainer_open(o, &r->model, r->data, &r->trainer, reason, sizeof(reason));
    if (rc == E_NOMEM)
        return NW_ENOMEM;
    if (rc)
        return training_refuse(r->why, r->nwhy, "training.%s", reason);
    return record_open(r->trainer, r->record);
}

static bool follows(const struct run *r)
{
    return ranks_follow(r->job->ranks);
}

/* Only rank 0 has files. */
static bool keeps_checkpoints(const struct run *r)
{
    return !follows(r) && *r->job->checkpoint;
}

/* From a checkpoint, if there is one of this run. */
static int resume(struct run *r)
{
    int rc = keeps_checkpoints(r) ? training_restore(r->job->checkpoint, r->job->key, r->trainer, r->record) : 0;

    return rc < 0 ? rc : NW_OK;
}

static int save(struct run *r)
{
    int rc = trainer_collect(r->trainer);

    if (rc)
        return failed(r, rc);
    return keeps_checkpoints(r) ? training_save(r->job->checkpoint, r->job->key, r->trainer, r->record) : NW_OK;
}

static bool due(int64_t every, int64_t step)
{
    return every > 0 && step % every == 0;
}

static int evaluate(struct run *r)
{
    const enum data_kind kind = r->options.data.kind;
    const struct translation_words words = { TOKEN_BEGIN, TOKEN_END, kind == DATA_IWSLT ? IWSLT_UNKNOWN : -1 };
    int64_t samples = r->training->evaluate_samples, done = trainer_steps_done(r->trainer);
    bool writes = kind == DATA_TRANSLATION || kind == DATA_IWSLT;
    int rc = writes ? trainer_translate(r->trainer, samples, &words, &r->last)
                    : trainer_evaluate(r->trainer, samples, &r->last);

    if (rc)
        return failed(r, rc);
    if (r->job->progress)
        training_progress_evaluated(r->job->progress, &r->live, "accuracy", 100 * r->last.accuracy, "%");
    return record_evaluation(r->record, done, &r->last, writes ? r->last.bleu : r->last.auc);
}

static int evaluate_training(struct run *r)
{
    int64_t samples = r->training->evaluate_training;
    int rc = samples && !r->job->most_steps ? trainer_evaluate_training(r->trainer, samples, &r->learnt) : 0;

    return rc ? failed(r, rc) : NW_OK;
}

static int one_step(struct run *r)
{
    int64_t step = trainer_steps_done(r->trainer);
    bool traced = due(r->training->trace_every, step);
    struct step_report report;
    int rc;

    trainer_count_zeros(r->trainer, traced);
    trainer_watch(r->trainer, traced);
    rc = trainer_step(r->trainer, &report);
    if (rc)
        return failed(r, rc);
    if (follows(r))
        return NW_OK;
    if (r->job->progress)
        training_progress_step(r->job->progress, &r->live, report.loss, report.samples);
    return record_step(r->record, r->trainer, &r->options.trainer.mask, &report, traced);
}

static bool stopping(const struct run *r)
{
    return r->job->ranks ? ranks_stopping(r->job->ranks) : r->job->stop && r->job->stop();
}

static int all_steps(struct run *r)
{
    int rc = trainer_share(r->trainer);

    if (rc)
        return failed(r, rc);
    r->begun = trainer_steps_done(r->trainer);
    if (r->job->progress)
        training_progress_start(r->job->progress, &r->live, r->job->name, r->end, trainer_steps_done(r->trainer));
    while (!rc && trainer_steps_done(r->trainer) < r->end) {
        int64_t done;

        if (stopping(r)) {
            rc = save(r);
            return rc ? rc : NW_EINTR;
        }
        rc = one_step(r);
        done = trainer_steps_done(r->trainer);
        if (!rc && !r->job->most_steps && !follows(r) && (done == r->steps || due(r->training->evaluate_every, done)))
            rc = evaluate(r);
        if (!rc && done < r->steps && due(r->training->checkpoint_every, done))
            rc = save(r);
    }
    if (r->job->progress)
        training_progress_finish(r->job->progress, &r->live);
    return rc;
}

/* The mean over the last twentieth of the steps. */
static double last_losses(const struct training_record *r)
{
    size_t n = r->nsteps / 20 ? r->nsteps / 20 : 1;
    double sum = 0;

    for (size_t i = r->nsteps - n; i < r->nsteps; i++)
        sum += r->steps[i].loss;
    return sum / (double)n;
}

/* Bits per value count only what went through a codec. Both directions have the same weight, as a worker sends as
 * many values as it receives. */
static void read_traffic(const struct run *r, struct readings *out)
{
    const struct record_sums *s = &r->record->sums;
    double push = s->coded_push_values > 0 ? 8 * s->coded_push_bytes / s->coded_push_values : 32;
    double pull = s->coded_pull_values > 0 ? 8 * s->coded_pull_bytes / s->coded_pull_values : 32;
    double steps = (double)r->steps, bits = (push + pull) / 2;

    reading_add(out, 32 / bits, "x", "compression_ratio");
    reading_add(out, bits, "bit", "bits_per_value");
    reading_add(out, s->push_bytes / steps / (double)r->training->workers, "B", "push_bytes");
    reading_add(out, s->pull_bytes / steps, "B", "pull_bytes");
    reading_add(out, pull / 8, "B", "bytes_per_weight");
}

/* Every step has the same number. */
static void read_multiply_adds(const struct run *r, struct readings *out)
{
    static const char *const names[OPS_NPASSES] = { "fma_forward", "fma_backward_data", "fma_backward_weights" };
    const struct multiply_adds *a = trainer_multiply_adds(r->trainer);
    double steps = (double)r->steps, samples = steps * (double)(r->training->workers * r->training->batch), all = 0;

    for (int p = 0; p < OPS_NPASSES; p++) {
        double sum = 0;

        for (int m = 0; m < FMA_NMODES; m++)
            sum += (double)a->products[m][p];
        reading_add(out, sum / steps, "", "%s", names[p]);
        all += sum;
    }
    reading_add(out, (double)a->norms / steps, "", "fma_norms");
    reading_add(out, (double)a->update / steps, "", "fma_update");
    reading_add(out, 1e-9 * all / samples, "GFMA", "sample_gfma");
    reading_add(out, 100 * (double)multiply_adds_in(a, FMA_BF16) / (double)multiply_adds_all(a), "%", "bf16_fma_pct");
}

/* A run that diverged has no number to report. */
static void read_finite(struct readings *out, double value, const char *unit, const char *name)
{
    if (isfinite(value))
        reading_add(out, value, unit, "%s", name);
}

static void read_results(const struct run *r, struct readings *out)
{
    reading_add(out, (double)r->steps, "", "steps");
    reading_add(out, 100 * r->last.accuracy, "%", "accuracy");
    reading_add(out, 100 * r->last.top5, "%", "top5");
    reading_add(out, 100 * (1 - r->last.accuracy), "%", "error");
    read_finite(out, last_losses(r->record), "", "loss");
    read_finite(out, r->last.loss, "", "test_loss");
    if (r->learnt.samples) {
        read_finite(out, r->learnt.loss, "", "train_loss");
        reading_add(out, 100 * r->learnt.accuracy, "%", "train_accuracy");
    }
    read_finite(out, 100 * r->last.bleu, "%", "bleu");
    read_finite(out, 100 * r->last.auc, "%", "auc");
    read_traffic(r, out);
    read_multiply_adds(r, out);
    read_finite(out, trainer_norm_change(r->trainer), "", "norm_change");
    if (trainer_split_share(r->trainer) > 0)
        reading_add(out, 100 * trainer_split_share(r->trainer), "%", "split_pct");
}

static void close_run(struct run *r)
{
    trainer_close(r->trainer);
    if (r->data)
        r->data->close(r->data);
    training_options_free(&r->options);
    model_free(&r->model);
}

static int open_run(struct run *r)
{
    const struct training_job *job = r->job;
    int rc = open_model(r);

    rc = rc ? rc : training_options_make(job->scenario, &r->model, job->threads, &r->options, r->why, r->nwhy);
    rc = rc ? rc : open_data(r);
    rc = rc ? rc : open_trainer(r);
    rc = rc ? rc : resume(r);
    return ranks_agree(job->ranks, rc, r->why, r->nwhy);
}

/* What has no other rank to wait for. */
static int finish(struct run *r, struct readings *out, struct training_result *result)
{
    int rc = evaluate_training(r);

    rc = rc ? rc : training_result_describe(r->training, &r->options, &r->model, r->trainer, &r->last, result);
    if (!rc && !r->job->most_steps)
        read_results(r, out);
    if (!rc && *r->job->checkpoint)
        unlink(r->job->checkpoint);
    return rc;
}

int training_run(const struct training_job *job, struct readings *out, struct training_result *result, char *why,
                 size_t nwhy)
{
    struct run r = {
        .job = job, .training = &job->scenario->training, .record = &result->record, .why = why, .nwhy = nwhy
    };
    int rc;

#ifdef _OPENMP
    omp_set_num_threads(job->threads); /* of this thread's calls */
#endif
    *result = (struct training_result){ 0 };
    rc = open_run(&r);
    if (!rc) {
        rc = all_steps(&r);
        if (!rc && job->ranks)
            rc = ranks_times(job->ranks, r.begun, &result->ranks, &result->nranks);
        if (rc && rc != NW_EINTR)
            rc = ranks_fail(job->ranks, rc, why);
    }
    if (!rc && !follows(&r))
        rc = finish(&r, out, result);
    close_run(&r);
    if (rc)
        training_result_free(result);
    return rc;
}
