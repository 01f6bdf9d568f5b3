/* stream.c - payloads that say what they are. */
#include "kernels/codec/stream.h"

#include "library/internal.h"

int narrows_seal(const narrows_coder *coder, void *stream, size_t *nbytes, const float *values, size_t n, void *state,
                 void *work)
{
    struct call call;
    uint8_t *bytes = stream;
    uint64_t used;
    int rc = call_begin(&call, coder, IMPL_HOST, n);

    if (!rc)
        rc = call_check_encode(&call, stream, STREAM_HEADER, nbytes, values, state, work);
    if (rc)
        return rc;
    call.row->compress(&call.row->impl, bytes + STREAM_HEADER, &used, values, n, &call.params, state, work);
    *nbytes = stream_seal(bytes, call.codec, &call.params, n, (size_t)used);
    return NARROWS_OK;
}

int narrows_open(narrows_coder *coder, size_t *n, const void **payload, size_t *npayload, const void *stream,
                 size_t nbytes, unsigned flags)
{
    const struct buffer bytes = { stream, nbytes, CODEC_ALIGN };
    struct stream found;
    int rc;

    if (!coder || !n || !payload || !npayload || !coder_flags_are_known(flags))
        return NARROWS_ARGUMENT;
    rc = buffers_check(&bytes, 1);
    if (!rc)
        rc = (int)stream_open(&found, stream, nbytes);
    if (!rc)
        rc = coder_set(coder, found.codec, &found.params, flags);
    if (rc)
        return rc;
    *n = found.n;
    *payload = found.payload;
    *npayload = found.nbytes;
    return NARROWS_OK;
}
