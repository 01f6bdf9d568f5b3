#include "harness/exec/content/coder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/measure/codec_setting.h"
#include "harness/run/codec/curve.h"
#include "harness/status.h"
#include "harness/tensor/codec_table.h"
#include "kernels/codec/stream.h"

static void *allocate(size_t bytes)
{
    return aligned_alloc(CODEC_ALIGN, (bytes + CODEC_ALIGN) / CODEC_ALIGN * CODEC_ALIGN);
}

/* The scenario's own density, levels and blocks, not those of the nearest setting that is timed. */
static void choose_params(const struct codec_spec *spec, struct codec_curve *curve)
{
    switch (spec->format) {
    case WIRE_BLOCKWISE: codec_setting_blocks(spec->code_bits, spec->block, &curve->setting); break;
    case WIRE_QSGD: codec_setting_levels(spec->levels, &curve->setting); break;
    case WIRE_SPARSIFY:
    case WIRE_RANDOMK:
    case WIRE_DCT:
    case WIRE_DCT_MP: codec_setting_density(curve->codec, spec->density, &curve->setting); break;
    default: break;
    }
}

int64_t coder_most(const struct codec_spec *spec, int64_t values)
{
    int64_t plain = 4 * values + STREAM_HEADER;
    struct codec_curve curve;

    if (!codec_spec_codes(spec, values) || !codec_curve_of(spec, &curve))
        return plain;
    choose_params(spec, &curve);
    int64_t coded = STREAM_HEADER + (int64_t)curve.codec->payload_bound((size_t)values, &curve.setting.params);
    return coded > plain ? coded : plain;
}

static void seed_params(struct coder *c, uint64_t seed)
{
    for (int i = 0; i < CODEC_PARAMS && c->codec->param[i].name; i++)
        if (!strcmp(c->codec->param[i].name, "seed"))
            c->params.value[i] = (double)(seed % 1000003);
}

int coder_open(const struct codec_spec *spec, int64_t values, uint64_t seed, struct coder *out)
{
    struct codec_curve curve;

    *out = (struct coder){ .n = (size_t)values };
    if (!codec_spec_codes(spec, values) || spec->format == WIRE_LOCAL)
        return NW_OK;
    if (!codec_curve_of(spec, &curve))
        return status_error(NW_EINPUT, "codec %s: expected one with a kernel (narrows list codecs), to execute it\n",
                            codec_spec_name(spec));
    choose_params(spec, &curve);
    out->codec = curve.codec;
    out->params = curve.setting.params;
    out->row = codec_choose(curve.codec, NULL, false);
    seed_params(out, seed);
    return NW_OK;
}

void coder_close(struct coder *c)
{
    free(c->state);
    free(c->stream);
    free(c->work);
    free(c->aligned);
    *c = (struct coder){ 0 };
}

static int make_space(struct coder *c)
{
    size_t state = c->codec->state_size(c->n, &c->params);

    if (!c->work)
        c->work = allocate(c->codec->work_size(c->n, &c->params));
    if (!c->stream)
        c->stream = allocate(STREAM_HEADER + c->codec->payload_bound(c->n, &c->params));
    if (!c->state && (c->state = allocate(state)))
        memset(c->state, 0, state);
    return c->work && c->stream && c->state ? NW_OK : NW_ENOMEM;
}

int coder_encode(struct coder *c, const float *values)
{
    uint64_t nbytes;
    int rc = make_space(c);

    if (rc)
        return rc;
    c->row->compress(&c->row->impl, c->stream + STREAM_HEADER, &nbytes, values, c->n, &c->params, c->state, c->work);
    c->nstream = stream_seal(c->stream, c->codec, &c->params, c->n, nbytes);
    return NW_OK;
}

static int align(struct coder *c, const uint8_t **stream, size_t nbytes)
{
    if ((uintptr_t)*stream % CODEC_ALIGN == 0)
        return NW_OK;
    if (nbytes > c->naligned) {
        free(c->aligned);
        c->aligned = allocate(nbytes);
        c->naligned = c->aligned ? nbytes : 0;
    }
    if (!c->aligned)
        return NW_ENOMEM;
    memcpy(c->aligned, *stream, nbytes);
    *stream = c->aligned;
    return NW_OK;
}

static int refuse(const struct coder *c, size_t nbytes, int error)
{
    return status_error(NW_EIO, "a message of %zu bytes is no tensor of %zu values in %s: %s\n", nbytes, c->n,
                        c->codec->name, codec_error_text((enum codec_error)error));
}

static int decode(struct coder *c, const uint8_t *payload, size_t nbytes, const struct codec_params *params,
                  enum codec_into into, float *values, int *error)
{
    if (!c->work && !(c->work = allocate(c->codec->work_size(c->n, &c->params))))
        return NW_ENOMEM;
    c->row->decompress(&c->row->impl, values, c->n, into, payload, nbytes, params, c->work, error);
    return NW_OK;
}

int coder_decode_payload(struct coder *c, const uint8_t *payload, size_t nbytes, float *values)
{
    int error = 0, rc = align(c, &payload, nbytes);

    rc = rc ? rc : decode(c, payload, nbytes, &c->params, CODEC_STORE, values, &error);
    return !rc && error ? refuse(c, nbytes, error) : rc;
}

int coder_decode(struct coder *c, const uint8_t *stream, size_t nbytes, enum codec_into into, float *values)
{
    struct stream s;
    int rc = align(c, &stream, nbytes);

    if (rc)
        return rc;
    int error = stream_open_in(&s, codec_table(), stream, nbytes);

    if (!error && (s.codec != c->codec || s.n != c->n))
        error = CODEC_COUNT;
    if (!error)
        rc = decode(c, s.payload, s.nbytes, &s.params, into, values, &error);
    return !rc && error ? refuse(c, nbytes, error) : rc;
}
