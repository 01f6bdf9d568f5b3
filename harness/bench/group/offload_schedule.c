/* offload_schedule.c - a training step that keeps few tensors on the device (vDNN; Split-CNN, section 4.3): while layer
 * i computes, the tensor of layer i - 1 leaves; on the way back the tensors return two layers ahead. Three buffers on
 * the device hold them in turn. The last layer's tensor stays, since it is needed at once.
 * Bound      the greater of all computing and all transfers, each timed alone. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "harness/bench/group/offload.h"
#include "harness/count.h"
#include "harness/host/clock.h"
#include "harness/offload/cuda_backend.h"
#include "harness/status.h"

enum { LAYERS = SCHEDULE_LAYERS, LAST = LAYERS - 1, BUFFERS = 3, CALIBRATION = 200 };

struct schedule {
    struct bench_offload *b;
    struct offload_tensor tensors[LAYERS];
    size_t nbytes;      /* a tensor */
    int64_t compute_ns; /* a layer, on the host */
    int copies;         /* a layer, on a device: of one tensor within its memory */
    uint8_t *from, *to; /* for them */
    bool device;
};

/* One layer's computing: a spin on the host, copies on a device. */
static void compute(void *arg, void *stream)
{
    const struct schedule *c = arg;
    int64_t end = clock_ns() + c->compute_ns;

    if (c->device)
        for (int i = 0; i < c->copies; i++)
            cuda_copy_within(c->to, c->from, c->nbytes, stream);
    else
        while (clock_ns() < end)
            continue;
}

static uint8_t *buffer(const struct schedule *c, int number)
{
    return (uint8_t *)c->b->s->state + (size_t)(number % BUFFERS) * c->nbytes;
}

static int forward(struct schedule *c)
{
    struct offload *o = c->b->o;
    int rc = NW_OK;

    for (int i = 0; i < LAYERS && !rc; i++) {
        c->tensors[i].device = buffer(c, i);
        if (i >= BUFFERS)
            rc = offload_order(o, c->tensors[i - BUFFERS].ticket);
        if (!rc)
            rc = offload_launch(o, compute, c);
        if (!rc && i < LAST)
            rc = offload_evict(o, &c->tensors[i]);
    }
    return rc;
}

/* Tensor i returns to the buffer of tensor i + 3, once that one's layer is done. */
static int prefetch(struct schedule *c, int i)
{
    if (i < 0)
        return NW_OK;
    c->tensors[i].device = buffer(c, LAST + LAST - i);
    return offload_prefetch(c->b->o, &c->tensors[i]);
}

static int backward(struct schedule *c)
{
    struct offload *o = c->b->o;
    int rc = offload_launch(o, compute, c);

    if (!rc) /* the other two buffers are empty then */
        rc = offload_order(o, c->tensors[LAST - 1].ticket);
    for (int i = LAST - 1; i >= LAST - 2 && !rc; i--)
        rc = prefetch(c, i);
    for (int i = LAST - 1; i >= 0 && !rc; i--) {
        rc = prefetch(c, i - 2);
        if (!rc)
            rc = offload_order(o, c->tensors[i].ticket);
        if (!rc)
            rc = offload_launch(o, compute, c);
    }
    return rc;
}

static void wait_launched(struct schedule *c, int rc)
{
    int64_t ticket = 0;

    if (!rc)
        rc = offload_mark(c->b->o, &ticket);
    bench_offload_wait(c->b, rc, ticket);
}

static void run_step(struct work *w)
{
    struct schedule *c = w->arg;
    int rc;

    offload_begin_step(c->b->o);
    rc = forward(c);
    wait_launched(c, rc ? rc : backward(c));
    offload_end_step(c->b->o);
}

static void run_compute(struct work *w)
{
    struct schedule *c = w->arg;
    int rc = NW_OK;

    for (int i = 0; i < 2 * LAYERS && !rc; i++)
        rc = offload_launch(c->b->o, compute, c);
    wait_launched(c, rc);
}

static void run_transfers(struct work *w)
{
    struct schedule *c = w->arg;
    int rc = NW_OK;

    for (int i = 0; i < LAST && !rc; i++)
        rc = offload_evict(c->b->o, &c->tensors[i]);
    if (!rc)
        rc = offload_order(c->b->o, c->tensors[LAST - 1].ticket);
    for (int i = LAST - 1; i >= 0 && !rc; i--)
        rc = offload_prefetch(c->b->o, &c->tensors[i]);
    bench_offload_wait(c->b, rc, c->tensors[0].ticket);
}

/* A layer's computing so that all of it takes 'ratio' times as long as all transfers. */
static void set_compute(struct schedule *c, double transfers_s, double ratio)
{
    struct work w = { .run = run_compute, .arg = c };
    double layer = ratio * transfers_s / (2 * LAYERS);

    c->compute_ns = (int64_t)(1e9 * layer);
    c->copies = CALIBRATION;
    if (c->device)
        c->copies = (int)(layer * CALIBRATION * 2 * LAYERS / bench_offload_seconds(&w) + 0.5);
    c->copies += !c->copies;
}

static int time_ratio(struct schedule *c, double transfers_s, double ratio)
{
    double bytes = 2.0 * LAST * (double)c->nbytes;
    const char *name = c->b->backend->ops->name;
    struct work step = { .kernel = "step", .impl = name, .nbytes = bytes, .run = run_step, .arg = c };
    struct work bound = { .impl = name, .nbytes = bytes, .arg = c };
    int rc;

    bound.kernel = ratio > 1 ? "step-compute" : "step-transfers";
    bound.run = ratio > 1 ? run_compute : run_transfers;
    snprintf(step.variant, sizeof(step.variant), "compute=%gx%s", ratio, c->b->link_text);
    memcpy(bound.variant, step.variant, sizeof(step.variant));
    set_compute(c, transfers_s, ratio);
    rc = session_time(c->b->s, &bound, &step, 1);
    return rc ? rc : c->b->failed;
}

int time_schedules(struct bench_offload *b)
{
    static const double ratios[] = { 0.25, 0.5, 1, 2, 4 };
    struct schedule c = { .b = b, .device = b->s->device };
    struct work transfers = { .run = run_transfers, .arg = &c };
    double transfers_s;
    int rc = NW_OK;

    c.nbytes = 4 * b->s->n / LAYERS / 64 * 64;
    c.from = (uint8_t *)b->s->result;
    c.to = c.from + c.nbytes;
    for (int i = 0; i < LAYERS; i++)
        c.tensors[i] = (struct offload_tensor){ b->home + (size_t)i * c.nbytes, buffer(&c, i), c.nbytes, 0 };
    transfers_s = bench_offload_seconds(&transfers);
    for (size_t i = 0; i < COUNT(ratios) && !rc; i++)
        rc = b->failed ? b->failed : time_ratio(&c, transfers_s, ratios[i]);
    return rc;
}
