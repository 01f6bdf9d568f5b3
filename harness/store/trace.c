/* trace.c - stores what a training was and what it did. */
#include "harness/store/trace.h"

#include <assert.h>

#include "harness/status.h"
#include "harness/store/internal.h"

static const char *const precisions[TRACE_PRECISIONS] = { "fp32", "mp", "bf16" };

const char *trace_precision_name(enum trace_precision precision)
{
    assert((unsigned)precision < TRACE_PRECISIONS);
    return precisions[precision];
}

static int insert_tensor(struct store *s, int64_t point_id, const struct training_fact *t, size_t i)
{
    const struct trace_tensor_fact *f = &t->tensors[i];

    return db_run(s, "store a trained tensor",
                  "INSERT INTO trace_tensor(point_id, tensor, name, nvalues, compressed) VALUES (?,?,?,?,?)", "lltli",
                  point_id, i, f->name, f->values, f->compressed);
}

static int insert_step(struct store *s, int64_t point_id, const struct training_fact *t, size_t i)
{
    const struct trace_step_fact *f = &t->steps[i];

    return db_run(s, "store a step of a training",
                  "INSERT INTO trace_step(point_id, step, epoch, samples, loss, learning_rate, precision,"
                  " precision_share, pushed_bytes, pulled_bytes, ema) VALUES (?,?,?,?,?,?,?,?,?,?,?)",
                  "llllfdtdllf", point_id, i, f->epoch, f->samples, f->loss, f->learning_rate,
                  trace_precision_name(f->precision), f->precision_share, f->pushed_bytes, f->pulled_bytes, f->ema);
}

static int insert_exchange(struct store *s, int64_t point_id, const struct training_fact *t, size_t i)
{
    const struct trace_exchange_fact *f = &t->exchanges[i];

    return db_run(s, "store what a tensor sent",
                  "INSERT INTO trace_exchange(point_id, step, tensor, pull, bytes, zeros, threshold)"
                  " VALUES (?,?,?,?,?,?,?)",
                  "lllilof", point_id, f->step, f->tensor, f->direction == TRACE_PULL, f->bytes, f->zeros,
                  f->threshold);
}

static int insert_bits(struct store *s, int64_t point_id, const struct training_fact *t, size_t i)
{
    const struct trace_bits_fact *f = &t->bits[i];

    return db_run(s, "store the bits of a tensor",
                  "INSERT INTO trace_bits(point_id, step, tensor, bits) VALUES (?,?,?,?)", "llli", point_id, f->step,
                  f->tensor, f->bits);
}

static int insert_evaluation(struct store *s, int64_t point_id, const struct training_fact *t, size_t i)
{
    const struct trace_evaluation_fact *f = &t->evaluations[i];

    return db_run(s, "store an evaluation",
                  "INSERT INTO trace_evaluation(point_id, after_steps, samples, loss, top1, top5, other)"
                  " VALUES (?,?,?,?,?,?,?)",
                  "lllfddf", point_id, f->after_steps, f->samples, f->loss, f->top1, f->top5, f->other);
}

static int insert_threshold(struct store *s, int64_t point_id, const struct training_fact *t, size_t i)
{
    const struct trace_threshold_fact *f = &t->thresholds[i];

    return db_run(s, "store a threshold of activations",
                  "INSERT INTO trace_threshold(point_id, step, layer, dropped, threshold) VALUES (?,?,?,?,?)", "lltdf",
                  point_id, f->step, t->cuts[f->cut], f->dropped, f->threshold);
}

static int insert_rank(struct store *s, int64_t point_id, const struct training_fact *t, size_t i)
{
    const struct trace_rank_fact *f = &t->ranks[i];

    return db_run(s, "store the times of a rank",
                  "INSERT INTO training_rank_time(point_id, rank, step, compute_ns, encode_ns, push_ns, update_ns,"
                  " pull_ns, decode_ns, sent_bytes, received_bytes) VALUES (?,?,?,?,?,?,?,?,?,?,?)",
                  "lllllllllll", point_id, f->rank, f->step, f->compute_ns, f->encode_ns, f->push_ns, f->update_ns,
                  f->pull_ns, f->decode_ns, f->sent_bytes, f->received_bytes);
}

int db_put_training(struct store *s, int64_t point_id, const struct training_fact *t)
{
    /* Rows refer to those before them. */
    const struct {
        int (*insert)(struct store *s, int64_t point_id, const struct training_fact *t, size_t i);
        size_t n;
    } kinds[] = { { insert_tensor, t->ntensors },
                  { insert_step, t->nsteps },
                  { insert_exchange, t->nexchanges },
                  { insert_bits, t->nbits },
                  { insert_evaluation, t->nevaluations },
                  { insert_threshold, t->nthresholds },
                  { insert_rank, t->nranks } };
    int rc = db_run(s, "store a training",
                    "INSERT INTO training(point_id, model, data, metric, real_data, seed, workers, batch, steps)"
                    " VALUES (?,?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING",
                    "ltttillll", point_id, t->model, t->data, t->metric, t->real_data, t->seed, t->workers, t->batch,
                    t->nsteps);

    if (rc || sqlite3_changes(s->db) == 0)
        return rc;
    for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++)
        for (size_t i = 0; !rc && i < kinds[k].n; i++)
            rc = kinds[k].insert(s, point_id, t, i);
    return rc;
}
