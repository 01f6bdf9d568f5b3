#include "harness/training/record.h"

#include <math.h>
#include <stdlib.h>

#include "harness/status.h"
#include "model/vec.h"

static int note_bits(struct training_record *r, const struct exchange *x, int64_t step)
{
    for (size_t t = 0; t < r->ntensors; t++) {
        if (x->bytes_per_weight[t] == r->bytes_per_weight[t])
            continue;
        if (!VEC_RESERVE(r->bits, r->bits_capacity, r->nbits))
            return NW_ENOMEM;
        r->bits[r->nbits++] = (struct trace_bits_fact){ step, t, 8 * x->bytes_per_weight[t] };
        r->bytes_per_weight[t] = x->bytes_per_weight[t];
    }
    return NW_OK;
}

int record_open(const struct trainer *t, struct training_record *out)
{
    struct training_record r = { .ntensors = trainer_map(t)->ntensors };
    int rc;

    r.bytes_per_weight = calloc(r.ntensors + 1, sizeof(*r.bytes_per_weight));
    rc = r.bytes_per_weight ? note_bits(&r, trainer_exchange(t), 0) : NW_ENOMEM;
    if (rc)
        record_close(&r);
    else
        *out = r;
    return rc;
}

void record_close(struct training_record *r)
{
    free(r->steps);
    free(r->exchanges);
    free(r->bits);
    free(r->evaluations);
    free(r->thresholds);
    free(r->bytes_per_weight);
    *r = (struct training_record){ 0 };
}

static void add_sums(struct training_record *r, const struct exchange *x, const struct step_report *step)
{
    double workers = (double)x->options.workers;

    r->sums.push_bytes += (double)step->push_bytes;
    r->sums.pull_bytes += (double)step->pull_bytes;
    for (size_t t = 0; t < r->ntensors; t++) {
        double values = (double)x->map->tensors[t].n;

        if (exchange_compresses(x, EXCHANGE_PUSH, t)) {
            r->sums.coded_push_bytes += (double)x->traffic[t].bytes[EXCHANGE_PUSH];
            r->sums.coded_push_values += workers * values;
        }
        if (exchange_compresses(x, EXCHANGE_PULL, t)) {
            r->sums.coded_pull_bytes += (double)x->traffic[t].bytes[EXCHANGE_PULL];
            r->sums.coded_pull_values += values;
        }
    }
}

static struct trace_step_fact step_fact(const struct exchange *x, const struct step_report *s)
{
    static const enum trace_precision precisions[FMA_NMODES] = {
        [FMA_FP32] = TRACE_FP32, [FMA_MP] = TRACE_MP, [FMA_BF16] = TRACE_BF16
    };
    double all = (double)multiply_adds_all(&s->multiply_adds);

    return (struct trace_step_fact){
        .epoch = s->epoch,
        .samples = s->samples,
        .loss = s->loss,
        .learning_rate = s->rate,
        .precision = precisions[s->mode],
        .precision_share = s->mode == FMA_FP32 ? 1 : (double)multiply_adds_in(&s->multiply_adds, s->mode) / all,
        .pushed_bytes = s->push_bytes,
        .pulled_bytes = s->pull_bytes * x->options.workers,
        .ema = s->ema,
    };
}

static int note_tensors(struct training_record *r, const struct exchange *x, int64_t step)
{
    for (size_t t = 0; t < r->ntensors; t++)
        for (enum exchange_way way = EXCHANGE_PUSH; way < EXCHANGE_WAYS; way++) {
            const struct tensor_traffic *f = &x->traffic[t];
            int64_t times = way == EXCHANGE_PULL ? x->options.workers : 1;

            if (!exchange_compresses(x, way, t))
                continue;
            if (!VEC_RESERVE(r->exchanges, r->exchanges_capacity, r->nexchanges))
                return NW_ENOMEM;
            r->exchanges[r->nexchanges++] = (struct trace_exchange_fact){
                .step = step,
                .tensor = t,
                .direction = way == EXCHANGE_PUSH ? TRACE_PUSH : TRACE_PULL,
                .bytes = times * f->bytes[way],
                .zeros = times * f->zeros[way],
                .threshold = way == EXCHANGE_PUSH ? f->threshold : NAN,
            };
        }
    return NW_OK;
}

static int note_thresholds(struct training_record *r, const struct mask_options *mask, const struct step_report *step)
{
    for (size_t cut = 0; step->thresholds && cut < mask->nlayers; cut++)
        for (size_t k = 0; k < mask->nwatched; k++) {
            if (!VEC_RESERVE(r->thresholds, r->thresholds_capacity, r->nthresholds))
                return NW_ENOMEM;
            r->thresholds[r->nthresholds++] = (struct trace_threshold_fact){
                .step = step->step,
                .cut = cut,
                .dropped = mask->watched[k],
                .threshold = step->thresholds[cut * mask->nwatched + k],
            };
        }
    return NW_OK;
}

int record_step(struct training_record *r, const struct trainer *t, const struct mask_options *mask,
                const struct step_report *step, bool tensors)
{
    const struct exchange *x = trainer_exchange(t);
    int rc = VEC_RESERVE(r->steps, r->steps_capacity, r->nsteps) ? NW_OK : NW_ENOMEM;

    if (rc)
        return rc;
    r->steps[r->nsteps++] = step_fact(x, step);
    add_sums(r, x, step);
    rc = note_bits(r, x, step->step + 1);
    rc = rc ? rc : note_thresholds(r, mask, step);
    return rc || !tensors ? rc : note_tensors(r, x, step->step);
}

int record_evaluation(struct training_record *r, int64_t after_steps, const struct evaluation *e, double other)
{
    if (!VEC_RESERVE(r->evaluations, r->evaluations_capacity, r->nevaluations))
        return NW_ENOMEM;
    r->evaluations[r->nevaluations++] = (struct trace_evaluation_fact){
        .after_steps = after_steps,
        .samples = e->samples,
        .loss = e->loss,
        .top1 = e->accuracy,
        .top5 = e->top5,
        .other = other,
    };
    return NW_OK;
}
