/* coding.c - what a worker encodes and decodes of a bucket: on its stream one piece of work after another, on a
 * machine's pool of threads each tensor by itself, after a copy from its GPU and before one back. */
#include "model/status.h"
#include "sim/method/allreduce/tasks.h"

size_t ar_item(const struct ar_step *g, size_t bucket)
{
    return g->plan->job->model->nlayers + bucket;
}

/* So many payloads of one size, of a tensor of the bucket or (-1) of parts of it. */
struct work {
    enum ar_row row;
    int32_t tensor;
    int64_t each_ps, payloads;
};

/* A payload is a call, and of several each thread has its share. 'all' waits for them. */
static void calls_on_pool(struct ar_step *g, const struct ar_worker *c, size_t b, const struct work *work, int after,
                          int all)
{
    int64_t threads = g->plan->method->gradients.threads, calls = work->payloads < threads ? work->payloads : threads;

    for (int64_t k = 0; work->each_ps && k < calls; k++) {
        int64_t mine = work->payloads / calls + (k < work->payloads % calls);
        int task = ar_compute(g, c - g->crews, c->pool, mine * work->each_ps, work->row, ar_item(g, b));
        engine_place(g->e, task,
                     (struct task_place){ .work = work->row == AR_ENCODE ? WORK_ENCODE : WORK_DECODE,
                                          .rank = (int32_t)(c - g->crews),
                                          .peer = -1,
                                          .tensor = work->tensor,
                                          .share = (int32_t)k,
                                          .shares = (int32_t)calls });
        ar_after(g, task, after);
        ar_after(g, all, task);
    }
}

static int on_pool(struct ar_step *g, const struct ar_worker *c, size_t b, enum ar_row row, int64_t payloads, int after)
{
    const struct bucket *bucket = &g->plan->buckets[b];
    int all = engine_sync(g->e);

    engine_place(g->e, all,
                 (struct task_place){ .work = WORK_ORDER, .rank = (int32_t)(c - g->crews), .peer = -1, .tensor = -1 });
    ar_after(g, all, after);
    if (g->plan->scatters) {
        const struct work parts = { row, -1, row == AR_ENCODE ? bucket->encode_ps : bucket->decode_ps, payloads };
        calls_on_pool(g, c, b, &parts, after, all);
    }
    for (size_t i = bucket->first; !g->plan->scatters && i < bucket->end; i++) {
        const struct gradient *t = &g->plan->tensors[i];
        const struct work tensor = { row, (int32_t)(i - bucket->first), row == AR_ENCODE ? t->encode_ps : t->decode_ps,
                                     payloads };
        calls_on_pool(g, c, b, &tensor, after, all);
    }
    return all;
}

static int on_stream(struct ar_step *g, size_t b, int64_t w, enum ar_row row, int64_t payloads, int after)
{
    const struct bucket *bucket = &g->plan->buckets[b];
    int64_t each_ps = row == AR_ENCODE ? bucket->encode_ps : bucket->decode_ps;

    if (!each_ps)
        return after;
    int task = ar_compute(g, w, g->crews[w].stream, payloads * each_ps, row, ar_item(g, b));
    ar_after(g, task, after);
    return task;
}

/* Where the codec runs. Answers the last task. */
static int work_on(struct ar_step *g, size_t b, int64_t w, enum ar_row row, int64_t payloads, int after)
{
    const struct ar_worker *c = &g->crews[w];

    return c->pool < 0 ? on_stream(g, b, w, row, payloads, after) : on_pool(g, c, b, row, payloads, after);
}

int ar_encode(struct ar_step *g, size_t b, int64_t w)
{
    const struct ar_worker *c = &g->crews[w];
    int at = g->ready[w];

    if (!g->plan->codes)
        return at;
    if (c->pool >= 0 && c->copy_out >= 0) {
        int copy = ar_copy(g, w, 1, 4 * g->plan->buckets[b].values, AR_ENCODE, ar_item(g, b));
        ar_after(g, copy, at);
        at = copy;
    }
    return work_on(g, b, w, AR_ENCODE, g->plan->encodes, at);
}

int ar_merge(struct ar_step *g, size_t b, int64_t w)
{
    int sum = work_on(g, b, w, AR_DECODE, g->plan->codes, g->done[w]);

    return work_on(g, b, w, AR_ENCODE, 1, sum);
}

int ar_decode(struct ar_step *g, size_t b, int64_t w)
{
    const struct ar_worker *c = &g->crews[w];
    int at = g->done[w];

    if (!g->plan->codes)
        return at;
    at = work_on(g, b, w, AR_DECODE, g->plan->codes, at);
    if (c->pool >= 0 && c->copy_in >= 0) {
        int copy = ar_copy(g, w, 0, 4 * g->plan->buckets[b].values, AR_DECODE, ar_item(g, b));
        ar_after(g, copy, at);
        at = copy;
    }
    return at;
}
