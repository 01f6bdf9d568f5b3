/* run.c - encoding and decoding in the host's memory, and the sum of payloads. */
#include "library/internal.h"

int narrows_encode(const narrows_coder *coder, void *payload, size_t *nbytes, const float *values, size_t n,
                   void *state, void *work)
{
    struct call call;
    uint64_t used;
    int rc = call_begin(&call, coder, IMPL_HOST, n);

    if (!rc)
        rc = call_check_encode(&call, payload, 0, nbytes, values, state, work);
    if (rc)
        return rc;
    call.row->compress(&call.row->impl, payload, &used, values, n, &call.params, state, work);
    *nbytes = (size_t)used;
    return NARROWS_OK;
}

static int decode(const narrows_coder *coder, float *values, size_t n, enum codec_into into, const void *payload,
                  size_t nbytes, void *work)
{
    struct call call;
    int error = NARROWS_OK, rc = call_begin(&call, coder, IMPL_HOST, n);

    if (!rc)
        rc = call_check_decode(&call, values, payload, nbytes, work, NULL);
    if (rc)
        return rc;
    call.row->decompress(&call.row->impl, values, n, into, payload, nbytes, &call.params, work, &error);
    return error;
}

int narrows_decode(const narrows_coder *coder, float *values, size_t n, const void *payload, size_t nbytes, void *work)
{
    return decode(coder, values, n, CODEC_STORE, payload, nbytes, work);
}

int narrows_decode_add(const narrows_coder *coder, float *values, size_t n, const void *payload, size_t nbytes,
                       void *work)
{
    return decode(coder, values, n, CODEC_ADD, payload, nbytes, work);
}

static int check_reduce(const struct call *call, const void *payload, const size_t *nsum,
                        const struct codec_terms *terms, const void *work)
{
    size_t last = terms->count - 1, whole;

    if (!call->row->reduce)
        return NARROWS_ABSENT;
    if (!terms->count || terms->stride % CODEC_ALIGN || (last && terms->stride < terms->nbytes))
        return NARROWS_ARGUMENT;
    if (__builtin_mul_overflow(last, terms->stride, &whole) || __builtin_add_overflow(whole, terms->nbytes, &whole))
        return NARROWS_ARGUMENT;
    const struct buffer buffers[] = {
        { payload, call->codec->payload_bound(call->n, &call->params), CODEC_ALIGN },
        { nsum, sizeof(*nsum), _Alignof(size_t) },
        { terms->payloads, whole, CODEC_ALIGN },
        { work, call->codec->work_size(call->n, &call->params), CODEC_ALIGN },
    };
    return buffers_check(buffers, sizeof(buffers) / sizeof(*buffers));
}

int narrows_reduce(const narrows_coder *coder, void *payload, size_t *nsum, const void *payloads, size_t stride,
                   size_t nbytes, size_t count, size_t n, void *work)
{
    struct codec_terms terms = { payloads, stride, nbytes, count };
    struct call call;
    uint64_t used;
    int error = NARROWS_OK, rc = call_begin(&call, coder, IMPL_HOST, n);

    if (!rc)
        rc = check_reduce(&call, payload, nsum, &terms, work);
    if (rc)
        return rc;
    call.row->reduce(&call.row->impl, payload, &used, &terms, n, &call.params, work, &error);
    if (!error)
        *nsum = (size_t)used;
    return error;
}
