/* codec.c - how long a codec takes at a few sizes. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "harness/host/clock.h"
#include "harness/measure/buffer.h"
#include "harness/measure/measure.h"
#include "harness/measure/pin.h"
#include "harness/measure/statistics.h"
#include "harness/status.h"
#include "harness/tensor/codec_table.h"
#include "kernels/codec/stream.h"
#include "kernels/dct/dct_lane.h"

/* Of each size: so many seconds, within so many repetitions, after some that find the state of later steps. */
static const double ENOUGH_S = 0.15;
enum { WARM_UP = 4, LEAST_REPS = 5, MOST_REPS = 200, SHIFT = 1024, SHIFTS = 8 };

/* A threshold that serves until the timing is over. */
static const double FOREVER = 1e9;

struct tensor {
    const struct codec *codec;
    const struct codec_impl *row;
    struct codec_params p;
    size_t n, nbytes, round; /* nbytes: of the stream; round: steps until it sends again */
    struct buffer changes, stream, state, work, result;
    double compress_s, decompress_s; /* of the last round, a step */
};

static int tensor_make(struct tensor *t)
{
    int rc = buffer_make(&t->changes, 4 * (t->n + SHIFT * SHIFTS));

    if (!rc)
        rc = buffer_make(&t->stream, STREAM_HEADER + t->codec->payload_bound(t->n, &t->p));
    if (!rc)
        rc = buffer_make(&t->state, t->codec->state_size(t->n, &t->p) + 1);
    if (!rc)
        rc = buffer_make(&t->work, t->codec->work_size(t->n, &t->p) + 1);
    if (!rc)
        rc = buffer_make(&t->result, 4 * t->n);
    if (rc)
        return rc;
    buffer_weights(t->changes.p, t->n + SHIFT * SHIFTS);
    memset(t->state.p, 0, t->codec->state_size(t->n, &t->p));
    return NW_OK;
}

static void tensor_free(struct tensor *t)
{
    buffer_free(&t->changes);
    buffer_free(&t->stream);
    buffer_free(&t->state);
    buffer_free(&t->work);
    buffer_free(&t->result);
}

static void compress(struct tensor *t, size_t step)
{
    uint8_t *stream = t->stream.p;
    uint64_t nbytes;

    t->row->compress(&t->row->impl, stream + STREAM_HEADER, &nbytes, (float *)t->changes.p + step % SHIFTS * SHIFT,
                     t->n, &t->p, t->state.p, t->work.p);
    t->nbytes = stream_seal(stream, t->codec, &t->p, t->n, nbytes);
}

static enum codec_error decompress(struct tensor *t)
{
    struct stream s;
    int error = stream_open_in(&s, codec_table(), t->stream.p, t->nbytes);

    if (!error)
        t->row->decompress(&t->row->impl, t->result.p, t->n, CODEC_STORE, s.payload, s.nbytes, &s.params, t->work.p,
                           &error);
    return (enum codec_error)error;
}

/* A threshold that stands, over changes that pile up, would let more and more through: of "dct" nothing piles up
 * here, so that every step sends the share that its threshold was found for. */
static void forget(struct tensor *t)
{
    if (!strcmp(t->codec->name, "dct"))
        memset((char *)t->state.p + DCT_STATE, 0, 4 * t->n);
}

/* On most steps of "local" there is nothing to receive. */
static bool sends_nothing(const struct tensor *t)
{
    return t->round > 1 && t->nbytes == STREAM_HEADER;
}

static int time_round(struct tensor *t, size_t first)
{
    t->compress_s = t->decompress_s = 0;
    for (size_t i = 0; i < t->round; i++) {
        double start, middle;
        enum codec_error error;

        forget(t);
        start = clock_s();
        compress(t, first + i);
        middle = clock_s();
        error = sends_nothing(t) ? CODEC_OK : decompress(t);
        t->decompress_s += (clock_s() - middle) / (double)t->round;
        t->compress_s += (middle - start) / (double)t->round;
        if (error)
            return status_error(NW_EINPUT, "bench: %s %s does not read what it wrote: %s\n", t->codec->name,
                                t->row->impl.name, codec_error_text(error));
    }
    return NW_OK;
}

static int time_tensor(struct tensor *t, struct codec_time *out)
{
    double there[MOST_REPS], back[MOST_REPS], begun = 0;
    size_t reps = 0;
    int rc = NW_OK;

    for (size_t i = 0; i < WARM_UP && !rc; i++)
        rc = time_round(t, i * t->round);
    begun = clock_s();
    while (!rc && reps < MOST_REPS && (reps < LEAST_REPS || clock_s() - begun < ENOUGH_S)) {
        rc = time_round(t, reps * t->round);
        there[reps] = t->compress_s;
        back[reps++] = t->decompress_s;
    }
    if (rc)
        return rc;
    out->bits = 8 * (double)t->nbytes / (double)t->n;
    out->compress_s = fmax(quantile(there, reps, 0.5), 1e-9);
    out->decompress_s = fmax(quantile(back, reps, 0.5), 1e-9);
    return NW_OK;
}

int measure_codec(const struct codec *c, const struct codec_params *p, const char *impl, struct codec_time *times,
                  size_t ntimes, const char **row)
{
    const struct codec_impl *im = codec_choose(c, impl, 0);
    struct pinning *pinned;
    int rc = NW_OK;

    if (!im)
        return status_error(NW_EINPUT, "bench: the codec %s has no implementation %s that can run here on one thread\n",
                            c->name, impl);
    pinned = pin_begin(1);
    for (size_t i = 0; i < ntimes && !rc; i++) {
        struct tensor t = { .codec = c, .row = im, .p = *p, .n = times[i].n, .round = 1 };

        if (!strcmp(c->name, "local"))
            t.round = (size_t)p->value[0];
        if (!strcmp(c->name, "dct"))
            t.p.value[1] = FOREVER;
        rc = tensor_make(&t);
        if (!rc)
            rc = time_tensor(&t, &times[i]);
        tensor_free(&t);
    }
    pin_end(pinned);
    *row = im->impl.name;
    return rc;
}
