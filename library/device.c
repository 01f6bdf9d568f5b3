/* device.c - encoding and decoding in CUDA memory. A device row takes the stream from its struct impl. */
#include "library/internal.h"

static struct impl queued_on(const struct call *call, void *stream)
{
    struct impl im = call->row->impl;

    im.with = stream;
    return im;
}

int narrows_encode_on(const narrows_coder *coder, void *payload, uint64_t *nbytes, const float *values, size_t n,
                      void *state, void *work, void *stream)
{
    struct call call;
    struct impl im;
    int rc = call_begin(&call, coder, IMPL_DEVICE, n);

    if (!rc)
        rc = call_check_encode(&call, payload, 0, nbytes, values, state, work);
    if (rc)
        return rc;
    im = queued_on(&call, stream);
    call.row->compress(&im, payload, nbytes, values, n, &call.params, state, work);
    return NARROWS_OK;
}

int narrows_decode_on(const narrows_coder *coder, float *values, size_t n, int add, const void *payload, size_t nbytes,
                      void *work, int *error, void *stream)
{
    struct call call;
    struct impl im;
    int rc = call_begin(&call, coder, IMPL_DEVICE, n);

    if (!rc)
        rc = error ? call_check_decode(&call, values, payload, nbytes, work, error) : NARROWS_ARGUMENT;
    if (rc)
        return rc;
    im = queued_on(&call, stream);
    call.row->decompress(&im, values, n, add ? CODEC_ADD : CODEC_STORE, payload, nbytes, &call.params, work, error);
    return NARROWS_OK;
}
