/* coding.c - what a worker encodes and decodes of a bucket: on its stream one piece of work after another, on a
 * machine's pool of threads each tensor by itself, after a copy from its GPU and before one back. */
#include "model/status.h"
#include "sim/method/allreduce/tasks.h"

size_t ar_item(const struct ar_step *g, size_t bucket)
{
    return g->plan->job->model->nlayers + bucket;
}

/* So many payloads, of the bucket's tensors or parts; 'merges': decodes add up, what is encoded is the sum. */
struct work {
    enum ar_row row;
    bool merges;
    int64_t payloads;
};

static struct task_place place_of(const struct ar_step *g, const struct ar_worker *c, const struct work *work)
{
    return (struct task_place){ .work = work->row == AR_ENCODE ? WORK_ENCODE : WORK_DECODE,
                                .rank = (int32_t)(c - g->crews),
                                .peer = -1,
                                .tensor = -1,
                                .add = work->merges,
                                .shares = 1 };
}

/* Of one tensor, or (-1) of parts: a payload is a call, and of several each thread has its share. 'all' waits for
 * them. */
static void calls_on_pool(struct ar_step *g, const struct ar_worker *c, size_t b, const struct work *work,
                          int32_t tensor, int64_t each_ps, int after, int all)
{
    int64_t threads = g->plan->method->gradients.threads, calls = work->payloads < threads ? work->payloads : threads;

    for (int64_t k = 0; each_ps && k < calls; k++) {
        int64_t mine = work->payloads / calls + (k < work->payloads % calls);
        int task = ar_compute(g, c - g->crews, c->pool, mine * each_ps, work->row, ar_item(g, b));
        struct task_place place = place_of(g, c, work);
        place.tensor = tensor;
        place.share = (int32_t)k;
        place.shares = (int32_t)calls;
        engine_place(g->e, task, &place);
        ar_after(g, task, after);
        ar_after(g, all, task);
    }
}

static int on_pool(struct ar_step *g, const struct ar_worker *c, size_t b, const struct work *work, int after)
{
    const struct bucket *bucket = &g->plan->buckets[b];
    bool encodes = work->row == AR_ENCODE;
    int all = engine_sync(g->e);

    engine_place(g->e, all,
                 &(struct task_place){ .work = WORK_ORDER, .rank = (int32_t)(c - g->crews), .peer = -1, .tensor = -1 });
    ar_after(g, all, after);
    if (g->plan->scatters)
        calls_on_pool(g, c, b, work, -1, encodes ? bucket->encode_ps : bucket->decode_ps, after, all);
    for (size_t i = bucket->first; !g->plan->scatters && i < bucket->end; i++) {
        const struct gradient *t = &g->plan->tensors[i];
        calls_on_pool(g, c, b, work, (int32_t)(i - bucket->first), encodes ? t->encode_ps : t->decode_ps, after, all);
    }
    return all;
}

static int on_stream(struct ar_step *g, const struct ar_worker *c, size_t b, const struct work *work, int after)
{
    const struct bucket *bucket = &g->plan->buckets[b];
    int64_t each_ps = work->row == AR_ENCODE ? bucket->encode_ps : bucket->decode_ps;

    if (!each_ps)
        return after;
    int task = ar_compute(g, c - g->crews, c->stream, work->payloads * each_ps, work->row, ar_item(g, b));
    const struct task_place place = place_of(g, c, work);
    engine_place(g->e, task, &place);
    ar_after(g, task, after);
    return task;
}

/* Where the codec runs. Answers the last task. */
static int do_work(struct ar_step *g, size_t b, int64_t w, struct work work, int after)
{
    const struct ar_worker *c = &g->crews[w];

    return c->pool < 0 ? on_stream(g, c, b, &work, after) : on_pool(g, c, b, &work, after);
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
    return do_work(g, b, w, (struct work){ AR_ENCODE, false, g->plan->encodes }, at);
}

int ar_merge(struct ar_step *g, size_t b, int64_t w)
{
    int sum = do_work(g, b, w, (struct work){ AR_DECODE, true, g->plan->codes }, g->done[w]);

    return do_work(g, b, w, (struct work){ AR_ENCODE, true, 1 }, sum);
}

int ar_decode(struct ar_step *g, size_t b, int64_t w)
{
    const struct ar_worker *c = &g->crews[w];
    int at = g->done[w];

    if (!g->plan->codes)
        return at;
    at = do_work(g, b, w, (struct work){ AR_DECODE, false, g->plan->codes }, at);
    if (c->pool >= 0 && c->copy_in >= 0) {
        int copy = ar_copy(g, w, 0, 4 * g->plan->buckets[b].values, AR_DECODE, ar_item(g, b));
        ar_after(g, copy, at);
        at = copy;
    }
    return at;
}
