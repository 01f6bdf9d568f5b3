#include "harness/compare/outcome.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/host/clock.h"
#include "harness/measure/statistics.h"
#include "harness/status.h"
#include "harness/tensor/codec_table.h"
#include "harness/tensor/tensor_file.h"
#include "harness/tensor/tensors.h"
#include "kernels/codec/stream.h"

enum { LEAST_REPS = 3, MOST_REPS = 51 };

static const double LEAST_S = 1e-9, LONG_S = 0.02;

/* A codec and a tensor on their way through the steps. */
struct trial {
    const struct contender *c;
    struct codec_params params;
    size_t n, nstate, nbytes; /* nbytes: of the last stream */
    uint8_t *stream;
    void *before, *state, *work; /* before: the state that every call of a step starts from */
    float *decoded;
    double *sent, *arrived; /* sums over the steps */
};

static int trial_make(struct trial *t, const struct contender *c, const struct tensor *first)
{
    const struct codec *codec = c->codec;

    *t = (struct trial){ .c = c, .params = contender_params(c, first), .n = first->n };
    t->nstate = codec->state_size(t->n, &t->params);
    t->stream = tensor_alloc(STREAM_HEADER + codec->payload_bound(t->n, &t->params));
    t->before = tensor_alloc(t->nstate);
    t->state = tensor_alloc(t->nstate);
    t->work = tensor_alloc(codec->work_size(t->n, &t->params));
    t->decoded = tensor_alloc(4 * t->n);
    t->sent = tensor_alloc(8 * t->n);
    t->arrived = tensor_alloc(8 * t->n);
    if (!t->stream || !t->before || !t->state || !t->work || !t->decoded || !t->sent || !t->arrived)
        return NW_ENOMEM;
    memset(t->before, 0, t->nstate);
    memset(t->sent, 0, 8 * t->n);
    memset(t->arrived, 0, 8 * t->n);
    return NW_OK;
}

static void trial_free(struct trial *t)
{
    free(t->stream);
    free(t->before);
    free(t->state);
    free(t->work);
    free(t->decoded);
    free(t->sent);
    free(t->arrived);
}

/* From 'before' to 'state'. */
static double encode(struct trial *t, const float *values)
{
    const struct codec_impl *row = t->c->row;
    uint64_t nbytes = 0;
    double begin_s;

    memcpy(t->state, t->before, t->nstate);
    begin_s = clock_s();
    row->compress(&row->impl, t->stream + STREAM_HEADER, &nbytes, values, t->n, &t->params, t->state, t->work);
    t->nbytes = stream_seal(t->stream, t->c->codec, &t->params, t->n, nbytes);
    return clock_s() - begin_s;
}

static int decode(struct trial *t, double *elapsed_s)
{
    const struct codec_impl *row = t->c->row;
    double begin_s = clock_s();
    struct stream s;
    int error = stream_open_in(&s, codec_table(), t->stream, t->nbytes);

    if (!error)
        row->decompress(&row->impl, t->decoded, t->n, CODEC_STORE, s.payload, s.nbytes, &s.params, t->work, &error);
    *elapsed_s = clock_s() - begin_s;
    if (!error)
        return NW_OK;
    return status_error(NW_EINPUT, "%s (%s) does not read what it wrote: %s\n", t->c->name, row->impl.name,
                        codec_error_text((enum codec_error)error));
}

/* The first call of each direction warms up and is not timed. */
static int time_step(struct trial *t, const float *values, double seconds, struct outcome *out)
{
    double there[MOST_REPS], back[MOST_REPS], begin_s = clock_s(), unused;
    size_t reps = 0, least;
    int rc;

    encode(t, values);
    rc = decode(t, &unused);
    least = clock_s() - begin_s > LONG_S ? 1 : LEAST_REPS;
    while (!rc && reps < MOST_REPS && (reps < least || clock_s() - begin_s < seconds)) {
        there[reps] = encode(t, values);
        rc = decode(t, &back[reps++]);
    }
    if (rc)
        return rc;
    out->encode_s += fmax(quantile(there, reps, 0.5), LEAST_S);
    out->decode_s += fmax(quantile(back, reps, 0.5), LEAST_S);
    return NW_OK;
}

static int one_step(struct trial *t, const struct tensor *step, double seconds, struct outcome *out)
{
    void *state = t->state;
    int rc = time_step(t, step->values, seconds, out);

    if (rc)
        return rc;
    out->values += t->n;
    out->payload_bytes += (double)(t->nbytes - STREAM_HEADER);
    out->header_bytes += STREAM_HEADER;
    out->nans += step->nans;
    out->infinities += step->infinities;
    fidelity_add(&out->each, step->values, t->decoded, t->n);
    for (size_t i = 0; i < t->n; i++) {
        t->sent[i] += (double)step->values[i];
        t->arrived[i] += (double)t->decoded[i];
    }
    t->state = t->before; /* the last call's is the next step's */
    t->before = state;
    return NW_OK;
}

int outcome_measure(const struct contender *c, const struct tensor *const *steps, size_t nsteps, double seconds,
                    struct outcome *out)
{
    struct trial t;
    int rc;

    *out = (struct outcome){ .tensors = 1 };
    if (!nsteps || !steps[0]->n)
        return NW_OK;
    rc = trial_make(&t, c, steps[0]);
    for (size_t i = 0; i < nsteps && !rc; i++)
        rc = one_step(&t, steps[i], seconds / (double)nsteps, out);
    if (!rc)
        fidelity_add_sums(&out->arrived, t.sent, t.arrived, t.n);
    trial_free(&t);
    return rc;
}

void outcome_merge(struct outcome *o, const struct outcome *other)
{
    o->tensors += other->tensors;
    o->values += other->values;
    o->payload_bytes += other->payload_bytes;
    o->header_bytes += other->header_bytes;
    fidelity_merge(&o->each, &other->each);
    fidelity_merge(&o->arrived, &other->arrived);
    o->encode_s += other->encode_s;
    o->decode_s += other->decode_s;
    o->nans += other->nans;
    o->infinities += other->infinities;
}

double outcome_bits(const struct outcome *o)
{
    return o->values ? 8 * (o->payload_bytes + o->header_bytes) / (double)o->values : NAN;
}

double outcome_ratio(const struct outcome *o)
{
    return o->values ? 4 * (double)o->values / (o->payload_bytes + o->header_bytes) : NAN;
}

double outcome_encode_Bps(const struct outcome *o)
{
    return o->encode_s > 0 ? 4 * (double)o->values / o->encode_s : NAN;
}

double outcome_decode_Bps(const struct outcome *o)
{
    return o->decode_s > 0 ? 4 * (double)o->values / o->decode_s : NAN;
}
