#include <assert.h>
#include <math.h>

#include "harness/status.h"
#include "harness/store/internal.h"

static const char *const precisions[TRACE_PRECISIONS] = { "fp32", "mp", "bf16" };

const char *trace_precision_name(enum trace_precision precision)
{
    assert((unsigned)precision < TRACE_PRECISIONS);
    return precisions[precision];
}

/* What is no finite number stays NULL. */
static void bind_finite(sqlite3_stmt *st, int column, double value)
{
    if (isfinite(value))
        sqlite3_bind_double(st, column, value);
}

static int run(struct store *s, sqlite3_stmt *st, const char *what)
{
    return db_step(s, st, what) == SQLITE_DONE ? NW_OK : NW_EDB;
}

/* 1 if it was inserted, 0 if the point has one already, or negative. */
static int insert_training(struct store *s, int64_t point_id, const struct training_fact *f)
{
    sqlite3_stmt *st = db_statement(s, ST_TRAINING);

    if (!st)
        return NW_EDB;
    sqlite3_bind_int64(st, 1, point_id);
    db_bind(st, 2, f->model);
    db_bind(st, 3, f->data);
    db_bind(st, 4, f->metric);
    sqlite3_bind_int(st, 5, f->real_data);
    sqlite3_bind_int64(st, 6, f->seed);
    sqlite3_bind_int64(st, 7, f->workers);
    sqlite3_bind_int64(st, 8, f->batch);
    sqlite3_bind_int64(st, 9, (int64_t)f->nsteps);
    if (db_step(s, st, "store a training") != SQLITE_DONE)
        return NW_EDB;
    return sqlite3_changes(s->db) == 1;
}

static int insert_tensor(struct store *s, int64_t point_id, const struct training_fact *t, size_t i)
{
    const struct trace_tensor_fact *f = &t->tensors[i];
    sqlite3_stmt *st = db_statement(s, ST_TRACE_TENSOR);

    if (!st)
        return NW_EDB;
    sqlite3_bind_int64(st, 1, point_id);
    sqlite3_bind_int64(st, 2, (int64_t)i);
    db_bind(st, 3, f->name);
    sqlite3_bind_int64(st, 4, f->values);
    sqlite3_bind_int(st, 5, f->compressed);
    return run(s, st, "store a trained tensor");
}

static int insert_step(struct store *s, int64_t point_id, const struct training_fact *t, size_t i)
{
    const struct trace_step_fact *f = &t->steps[i];
    sqlite3_stmt *st = db_statement(s, ST_TRACE_STEP);

    if (!st)
        return NW_EDB;
    sqlite3_bind_int64(st, 1, point_id);
    sqlite3_bind_int64(st, 2, (int64_t)i);
    sqlite3_bind_int64(st, 3, f->epoch);
    sqlite3_bind_int64(st, 4, f->samples);
    bind_finite(st, 5, f->loss);
    sqlite3_bind_double(st, 6, f->learning_rate);
    db_bind(st, 7, trace_precision_name(f->precision));
    sqlite3_bind_double(st, 8, f->precision_share);
    sqlite3_bind_int64(st, 9, f->pushed_bytes);
    sqlite3_bind_int64(st, 10, f->pulled_bytes);
    bind_finite(st, 11, f->ema);
    return run(s, st, "store a step of a training");
}

static int insert_exchange(struct store *s, int64_t point_id, const struct training_fact *t, size_t i)
{
    const struct trace_exchange_fact *f = &t->exchanges[i];
    sqlite3_stmt *st = db_statement(s, ST_TRACE_EXCHANGE);

    if (!st)
        return NW_EDB;
    sqlite3_bind_int64(st, 1, point_id);
    sqlite3_bind_int64(st, 2, f->step);
    sqlite3_bind_int64(st, 3, (int64_t)f->tensor);
    sqlite3_bind_int(st, 4, f->direction == TRACE_PULL);
    sqlite3_bind_int64(st, 5, f->bytes);
    if (f->zeros >= 0)
        sqlite3_bind_int64(st, 6, f->zeros);
    bind_finite(st, 7, f->threshold);
    return run(s, st, "store what a tensor sent");
}

static int insert_bits(struct store *s, int64_t point_id, const struct training_fact *t, size_t i)
{
    const struct trace_bits_fact *f = &t->bits[i];
    sqlite3_stmt *st = db_statement(s, ST_TRACE_BITS);

    if (!st)
        return NW_EDB;
    sqlite3_bind_int64(st, 1, point_id);
    sqlite3_bind_int64(st, 2, f->step);
    sqlite3_bind_int64(st, 3, (int64_t)f->tensor);
    sqlite3_bind_int(st, 4, f->bits);
    return run(s, st, "store the bits of a tensor");
}

static int insert_evaluation(struct store *s, int64_t point_id, const struct training_fact *t, size_t i)
{
    const struct trace_evaluation_fact *f = &t->evaluations[i];
    sqlite3_stmt *st = db_statement(s, ST_TRACE_EVALUATION);

    if (!st)
        return NW_EDB;
    sqlite3_bind_int64(st, 1, point_id);
    sqlite3_bind_int64(st, 2, f->after_steps);
    sqlite3_bind_int64(st, 3, f->samples);
    bind_finite(st, 4, f->loss);
    sqlite3_bind_double(st, 5, f->top1);
    sqlite3_bind_double(st, 6, f->top5);
    bind_finite(st, 7, f->other);
    return run(s, st, "store an evaluation");
}

static int insert_threshold(struct store *s, int64_t point_id, const struct training_fact *t, size_t i)
{
    const struct trace_threshold_fact *f = &t->thresholds[i];
    sqlite3_stmt *st = db_statement(s, ST_TRACE_THRESHOLD);

    if (!st)
        return NW_EDB;
    sqlite3_bind_int64(st, 1, point_id);
    sqlite3_bind_int64(st, 2, f->step);
    db_bind(st, 3, t->cuts[f->cut]);
    sqlite3_bind_double(st, 4, f->dropped);
    bind_finite(st, 5, f->threshold);
    return run(s, st, "store a threshold of activations");
}

int db_put_training(struct store *s, int64_t point_id, const struct training_fact *t)
{
    /* Rows refer to those before them. */
    const struct {
        int (*insert)(struct store *s, int64_t point_id, const struct training_fact *t, size_t i);
        size_t n;
    } kinds[] = { { insert_tensor, t->ntensors },         { insert_step, t->nsteps },
                  { insert_exchange, t->nexchanges },     { insert_bits, t->nbits },
                  { insert_evaluation, t->nevaluations }, { insert_threshold, t->nthresholds } };
    int inserted = insert_training(s, point_id, t), rc = inserted < 0 ? inserted : NW_OK;

    for (size_t k = 0; inserted == 1 && k < sizeof(kinds) / sizeof(*kinds); k++)
        for (size_t i = 0; !rc && i < kinds[k].n; i++)
            rc = kinds[k].insert(s, point_id, t, i);
    return rc;
}
