#include "harness/executor/executor.h"

#include <stdlib.h>
#include <xxhash.h>

#include "harness/executor/internal.h"
#include "harness/offload/cuda_backend.h"
#include "harness/offload/host_backend.h"
#include "harness/status.h"

static const double most_latency_s = 1e9;

enum { SLOTS = 4, SLOT_MIN = 1 << 14, SLOT_MAX = 1 << 20, MAX_TICKETS = 1 << 14 };

static int no_memory(void)
{
    return status_error(NW_ENOMEM, "executor: out of memory\n");
}

/* With stamps a byte stands for 32, so the link's rates are 32 times slower; its latency is not. */
static int open_backend(const struct executor_options *o, struct backend **out)
{
    double pace = o->pace > 0 ? o->pace : 1;
    double rate = (o->content == EXECUTOR_STAMP ? (double)WORD / GRANULE : 1) / pace;
    int64_t latency_ns = (int64_t)(1e9 * pace * o->link.latency_s);
    struct host_backend_options host = { .to_device = { rate * o->link.to_device_Bps, latency_ns },
                                         .to_host = { rate * o->link.to_host_Bps, latency_ns },
                                         .wire_bytes_per_s = rate * o->link.shared_Bps };

    return o->on_device ? cuda_backend_open(out) : host_backend_open(&host, out);
}

/* Weights, gradients and reports are staged. Pinning takes time, so a small plan gets small slots. */
static size_t slot_bytes(const struct executor *e)
{
    size_t most = 4 * (size_t)e->real.parameters.nweights / SLOTS;

    return most < SLOT_MIN ? SLOT_MIN : most < SLOT_MAX ? most : SLOT_MAX;
}

static int open_offload(struct executor *e, struct backend *backend)
{
    size_t tickets = 2 * e->program.ncopies + 8;
    struct offload_options options = { .backend = backend,
                                       .ways = OFFLOAD_TO_DEVICE | OFFLOAD_TO_HOST,
                                       .slots = SLOTS,
                                       .slot_bytes = slot_bytes(e),
                                       .tickets = (int)(tickets < MAX_TICKETS ? tickets : MAX_TICKETS) };
    int rc = backend ? NW_OK : open_backend(&e->options, &options.backend);

    return rc ? rc : offload_open(&options, &e->offload);
}

/* The plan's pool and, behind it, the parameters. */
static int make_pool(struct executor *e)
{
    int64_t parameters = e->options.content == EXECUTOR_REAL ? 4 * e->real.parameters.total : 0;
    int64_t height = (executor_scale(e, e->program.height) + GRANULE - 1) / GRANULE * GRANULE;
    int64_t needed = e->program.height + parameters;

    if (e->options.pool_bytes && needed > e->options.pool_bytes)
        return status_error(NW_EINPUT, "executor: the plan needs a pool of %lld bytes, %lld are allowed\n",
                            (long long)needed, (long long)e->options.pool_bytes);
    e->pool_bytes = executor_scale(e, e->program.height);
    e->homes_bytes = executor_scale(e, e->program.homes);
    e->pool = offload_alloc(e->offload, BACKEND_DEVICE, (size_t)(height + parameters));
    e->homes = offload_alloc(e->offload, BACKEND_PINNED, (size_t)e->homes_bytes);
    e->images = offload_alloc(e->offload, BACKEND_PINNED, (size_t)executor_scale(e, e->program.images.bytes));
    if (!e->pool || !e->homes || !e->images)
        return NW_ENOMEM;
    if (parameters)
        real_attach(&e->real, e->pool, (float *)(void *)(e->pool + height));
    return NW_OK;
}

static int make_reports(struct executor *e)
{
    size_t nuses = e->program.nuses + 1, nsums = e->program.nvalues + 2;

    e->reports = offload_alloc(e->offload, BACKEND_DEVICE, nuses * sizeof(*e->reports));
    e->sums = offload_alloc(e->offload, BACKEND_DEVICE, nsums * sizeof(*e->sums));
    e->seen = calloc(nuses, sizeof(*e->seen));
    if (!e->reports || !e->sums)
        return NW_ENOMEM;
    if (!e->seen)
        return no_memory();
    e->sum_now = e->sums + nsums - 2;
    e->extent = e->sums + nsums - 1;
    return NW_OK;
}

static int make_lists(struct executor *e)
{
    const struct program *p = &e->program;

    e->copies = calloc(p->ncopies + 1, sizeof(*e->copies));
    e->items = calloc(p->noperations + 1, sizeof(*e->items));
    e->freed = calloc(p->ncopies + 1, sizeof(*e->freed));
    if (!e->copies || !e->items || !e->freed)
        return no_memory();
    for (size_t i = 0; i < p->noperations; i++)
        e->items[i] = (struct work_item){ e, i };
    for (size_t i = 0; i < p->ncopies; i++) {
        e->freed[i] = (struct work_item){ e, i };
        e->copies[i].home = e->homes + executor_scale(e, p->copies[i].home);
        e->copies[i].nbytes = (size_t)executor_scale(e, p->copies[i].bytes);
    }
    e->image.home = e->images;
    e->image.device = e->pool + executor_scale(e, p->images.at);
    e->image.nbytes = p->images.tensor == NO_TENSOR ? 0 : (size_t)executor_scale(e, p->images.bytes);
    e->clock = e->clock_ops->open(2 * (p->noperations + p->ncopies));
    return e->clock ? NW_OK : NW_ENOMEM;
}

int executor_push_weights(struct executor *e)
{
    struct offload_layer all = { e->weights, e->real.weights, (size_t)e->real.parameters.nweights, 4 };
    int64_t ticket = 0;
    int rc = offload_push(e->offload, &all, 1, &ticket);

    return rc ? rc : offload_wait(e->offload, ticket);
}

/* Push the labels, and the checksum of the images as computed on the host. */
static int push_rest(struct executor *e)
{
    const struct layer *last = &e->plan->model->layers[e->plan->model->nlayers - 1];
    int32_t *labels = calloc((size_t)e->plan->batch, sizeof(*labels));
    uint64_t sum = 0;
    struct offload_layer rest[] = { { labels, e->real.labels, (size_t)e->plan->batch, 4 },
                                    { &sum, &e->sums[e->program.images.value], 2, 4 } };
    int64_t ticket = 0;
    int rc;

    if (!labels)
        return no_memory();
    labels_draw(e->options.seed, labels, e->plan->batch, last->activations);
    content_host.sum((const uint32_t *)(const void *)e->images, e->image.nbytes / 4, &sum, NULL);
    rc = offload_push(e->offload, rest, 2, &ticket);
    rc = rc ? rc : offload_wait(e->offload, ticket);
    free(labels);
    return rc;
}

static int start_real(struct executor *e)
{
    size_t n = (size_t)e->real.parameters.nweights;
    int rc;

    e->weights = calloc(n + 1, sizeof(*e->weights));
    e->gradients = calloc(n + 1, sizeof(*e->gradients));
    if (!e->weights || !e->gradients)
        return no_memory();
    parameters_draw(&e->real.parameters, e->plan->model, e->options.seed, e->weights);
    images_draw(e->options.seed, (float *)(void *)e->images, (int64_t)(e->image.nbytes / 4));
    rc = executor_push_weights(e);
    return rc ? rc : push_rest(e);
}

static int check_options(const struct executor_options *o)
{
    const struct executor_link *l = &o->link;

    if (o->steps >= 1 && l->to_host_Bps >= 0 && l->to_device_Bps >= 0 && l->shared_Bps >= 0 && l->latency_s >= 0 &&
        o->pace >= 0 && o->pool_bytes >= 0) {
        if (l->latency_s * (1 + o->pace) <= most_latency_s)
            return NW_OK;
        return status_error(NW_EINPUT, "executor: the link's latency, so many times slower, is more than %g s\n",
                            most_latency_s);
    }
    return status_error(NW_EINPUT, "executor: expected one step or more, and no rate, latency, pace or size below 0\n");
}

static int make(struct executor *e, struct backend *backend)
{
    const struct executor_options *o = &e->options;
    bool real = o->content == EXECUTOR_REAL;
    int rc = check_options(o);

    rc = rc ? rc : program_make(e->plan, &e->program);
    if (!rc && e->program.images.tensor == NO_TENSOR)
        rc = status_error(NW_EINPUT, "executor: the plan has no images\n");
    if (!rc)
        rc = real ? real_open(&e->program, o->ops, o->on_device, o->seed, &e->real) : stamp_check(&e->program);
    if (rc) {
        if (backend)
            backend->ops->close(backend);
        return rc;
    }
    rc = open_offload(e, backend);
    rc = rc ? rc : make_pool(e);
    rc = rc ? rc : make_reports(e);
    rc = rc ? rc : make_lists(e);
    return rc || !real ? rc : start_real(e);
}

int executor_open(const struct memory_plan *plan, const struct executor_options *options, struct backend *backend,
                  struct executor *e)
{
    int rc;

    *e = (struct executor){ .plan = plan, .options = *options };
    e->content = options->on_device ? &content_cuda : &content_host;
    e->clock_ops = options->on_device ? &clock_cuda : &clock_host;
    e->first.operation = e->first.storage = NO_OPERATION;
    e->peak_bytes = -1;
    rc = make(e, backend);
    if (rc)
        executor_close(e);
    return rc;
}

void executor_close(struct executor *e)
{
    offload_close(e->offload); /* first: work under way uses the rest */
    if (e->clock)
        e->clock_ops->close(e->clock);
    real_close(&e->real);
    program_free(&e->program);
    free(e->seen);
    free(e->copies);
    free(e->items);
    free(e->freed);
    free(e->weights);
    free(e->gradients);
    *e = (struct executor){ 0 };
}

static int by_step(const void *a, const void *b)
{
    const struct step_times *x = a, *y = b;

    return (x->step_ns > y->step_ns) - (x->step_ns < y->step_ns);
}

static void report(const struct executor *e, struct step_times *times, int64_t n, struct executor_result *out)
{
    struct step_times *from = times + (n > 1), *middle;
    int64_t left = n - (n > 1);

    qsort(from, (size_t)left, sizeof(*from), by_step);
    middle = &from[(left - 1) / 2];
    *out = (struct executor_result){
        .step_ns = middle->step_ns,
        .forward_ns = middle->forward_ns,
        .backward_ns = middle->backward_ns,
        .stall_ns = middle->stall_ns,
        .to_host_bytes = e->to_host_bytes,
        .to_device_bytes = e->to_device_bytes,
        .peak_bytes = e->peak_bytes,
        .pool_bytes = e->program.height + (e->weights ? 4 * e->real.parameters.total : 0),
        .backend_bytes = e->weights ? (int64_t)e->real.ops->held(e->real.handle) : 0,
        .errors = e->errors,
        .first = e->first,
        .loss = (double)e->loss,
        .gradients = e->weights ? XXH3_64bits(e->gradients, 4 * (size_t)e->real.parameters.nweights) : 0,
        .backend = e->options.on_device ? "cuda" : "threads",
        .ops = e->weights ? e->real.ops->name : "stamps",
    };
}

int executor_run(const struct memory_plan *plan, const struct executor_options *options, struct executor_result *out)
{
    struct executor e;
    struct step_times *times = NULL;
    int rc = executor_open(plan, options, NULL, &e);

    if (rc)
        return rc;
    times = calloc((size_t)options->steps, sizeof(*times));
    rc = times ? NW_OK : no_memory();
    for (int64_t i = 0; i < options->steps && !rc; i++)
        rc = executor_step(&e, &times[i]);
    if (!rc)
        report(&e, times, options->steps, out);
    free(times);
    executor_close(&e);
    return rc;
}
