/* quantize.c - the group "quantize": 8 bits, of a tensor and block by block, stochastic three values and one bit,
 * without the header of a stream. Each direction has an anchor with its own mix of reads and writes, put together from
 * those of the session: what is written without a read (most of what a decoder does) is copied out of a piece that the
 * caches hold. */
#include <string.h>

#include "harness/bench/device.h"
#include "harness/bench/group/groups.h"
#include "harness/count.h"
#include "harness/status.h"
#include "kernels/anchor/anchor.h"
#include "kernels/blockwise/blockwise.h"
#include "kernels/int8/int8.h"
#include "kernels/onebit/onebit.h"
#include "kernels/stochastic3/stochastic3.h"

/* Shares of n values that an anchor reads, copies, writes, updates and scales. */
struct mix {
    const char *name;
    double read, copy, write, update, scale;
};

struct direction {
    const char *kernel;
    double nbytes; /* a value */
    struct mix mix;
};

/* Both passes of compressing, storing what came, adding it. */
static const struct plan {
    const struct codec *codec;
    struct direction compress, store, add;
} plans[] = {
    { &codec_int8,
      { "8bit", 9, { "r4, r4 w1", .read = 1.75, .copy = 0.25 } },
      { "8bit back", 5, { "r1 w4", .copy = 0.25, .write = 0.75 } },
      { "8bit add", 9, { "r5 w4", .read = 0.25, .scale = 1 } } },
    { &codec_blockwise, /* a block is read once, and then from the first-level cache */
      { "blockwise", 4 + 65 / 64., { "r4 w1", .read = 0.75, .copy = 0.25 } },
      { "blockwise back", 4 + 65 / 64., { "r1 w4", .copy = 0.25, .write = 0.75 } },
      { "blockwise add", 8 + 65 / 64., { "r5 w4", .read = 0.25, .scale = 1 } } },
    { &codec_stochastic3,
      { "stoch3", 8.2, { "r4, r4 w.2", .read = 1.95, .copy = 0.05 } },
      { "stoch3 back", 4.2, { "r.2 w4", .copy = 0.05, .write = 0.95 } },
      { "stoch3 add", 8.2, { "r4.2 w4", .read = 0.05, .scale = 1 } } },
    { &codec_onebit,
      { "1bit", 20.125, { "r8 w4, r4 w4.1", .write = 1 / 32., .update = 1, .scale = 1 } },
      { "1bit back", 4.125, { "r.1 w4", .copy = 1 / 32., .write = 31 / 32. } },
      { "1bit add", 8.125, { "r4.1 w4", .read = 1 / 32., .scale = 1 } } },
};

struct job {
    struct session *s;
    const struct codec_impl *row;
    const struct mix *mix;
    struct codec_params params;
    size_t n, nbytes;
    uint8_t *payload;
    void *state, *work;
    uint64_t *report; /* where the row lives: the size and the error that it reports */
    int *error;
};

static void run_mix(struct work *w)
{
    enum { PIECE = 1 << 16 };
    struct job *j = w->arg;
    const float *x = j->s->change;
    float *y = j->s->state, *z = j->s->result;
    const struct mix *m = j->mix;
    const struct anchor_impl *a = j->s->anchor_row;
    size_t n = j->n, copied = (size_t)(m->copy * (double)n), written = (size_t)(m->write * (double)n);

    if (m->read > 1)
        a->read(&a->impl, j->s->anchor_result, x, n);
    if (m->read > 0)
        a->read(&a->impl, j->s->anchor_result, x, (size_t)((m->read > 1 ? m->read - 1 : m->read) * (double)n));
    if (m->update > 0)
        a->update(&a->impl, y, x, n);
    if (m->scale > 0)
        a->scale(&a->impl, y, n);
    if (copied)
        a->copy(&a->impl, z, x + (n - copied), copied);
    /* What is written without being read: from a piece that stays in the cache; on a device, where each piece would be
       a launch, as the driver fills memory. */
    if (j->s->device)
        device_fill(z + copied, 0, 4 * written);
    for (size_t at = 0; at < written && !j->s->device; at += PIECE)
        a->copy(&a->impl, z + copied + at, x, written - at < PIECE ? written - at : PIECE);
}

static void compress(struct work *w)
{
    struct job *j = w->arg;

    j->row->compress(&j->row->impl, j->payload, j->report, j->s->change, j->n, &j->params, j->state, j->work);
}

static void store(struct work *w)
{
    struct job *j = w->arg;

    j->row->decompress(&j->row->impl, j->s->result, j->n, CODEC_STORE, j->payload, j->nbytes, &j->params, j->work,
                       j->error);
}

static void add(struct work *w)
{
    struct job *j = w->arg;

    j->row->decompress(&j->row->impl, j->s->state, j->n, CODEC_ADD, j->payload, j->nbytes, &j->params, j->work,
                       j->error);
}

static int time_direction(struct job *j, const struct direction *d, void (*run)(struct work *w))
{
    double n = (double)j->n;
    struct work anchor = { .kernel = d->mix.name, .impl = j->s->anchor_row->impl.name, .run = run_mix, .arg = j };
    struct work w = { .kernel = d->kernel,
                      .impl = j->row->impl.name,
                      .nbytes = d->nbytes * n,
                      .bits = 8 * (double)j->nbytes / n,
                      .run = run,
                      .arg = j };

    anchor.nbytes = n * (4 * d->mix.read + 8 * d->mix.copy + 4 * d->mix.write + 12 * d->mix.update + 8 * d->mix.scale);
    j->mix = &d->mix;
    return session_time(j->s, &anchor, &w, 1);
}

static int time_row(struct job *j, const struct plan *plan)
{
    int rc = time_direction(j, &plan->compress, compress);

    if (!rc)
        rc = time_direction(j, &plan->store, store);
    return rc ? rc : time_direction(j, &plan->add, add);
}

/* Work and state are never of size 0 here: a buffer is asked for with some bytes to spare. */
static int prepare(struct job *j, const struct codec *c)
{
    enum { SPARE = 64 };

    j->params = codec_presets(c);
    j->nbytes = c->payload_bound(j->n, &j->params);
    j->payload = session_alloc(j->s, j->nbytes + SPARE);
    j->state = j->payload ? session_alloc(j->s, c->state_size(j->n, &j->params) + SPARE) : NULL;
    j->work = j->state ? session_alloc(j->s, c->work_size(j->n, &j->params) + SPARE) : NULL;
    if (j->state && !j->s->device)
        memset(j->state, 0, c->state_size(j->n, &j->params));
    j->report = j->work ? session_alloc(j->s, SPARE) : NULL;
    j->error = j->report ? session_alloc(j->s, SPARE) : NULL;
    return j->error ? NW_OK : NW_ENOMEM;
}

static int rows(struct session *s)
{
    struct job j = { .s = s, .n = s->n };
    int rc = NW_OK;

    for (size_t p = 0; p < COUNT(plans) && !rc; p++) {
        rc = prepare(&j, plans[p].codec);
        for (j.row = plans[p].codec->impls; !rc && j.row->impl.name; j.row++)
            if (session_wants(s, &j.row->impl))
                rc = time_row(&j, &plans[p]);
    }
    return rc;
}

const struct group group_quantize = { "quantize", "8 bits, also by block, three values drawn, one bit; and back",
                                      rows };
