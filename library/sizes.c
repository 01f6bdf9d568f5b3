/* sizes.c - what a caller allocates. */
#include "kernels/codec/stream.h"
#include "library/internal.h"

enum size { PAYLOAD, STATE, WORK };

static size_t size_of(const narrows_coder *coder, size_t n, enum size which)
{
    struct codec_params params;
    const struct codec *codec;

    if (!coder_row(coder, &params) || n > NARROWS_MOST_VALUES)
        return SIZE_MAX;
    codec = coder_codec(coder);
    switch (which) {
    case PAYLOAD: return codec->payload_bound(n, &params);
    case STATE: return codec->state_size(n, &params);
    case WORK: return codec->work_size(n, &params);
    }
    return SIZE_MAX;
}

size_t narrows_payload_bound(const narrows_coder *coder, size_t n)
{
    return size_of(coder, n, PAYLOAD);
}

size_t narrows_state_bytes(const narrows_coder *coder, size_t n)
{
    return size_of(coder, n, STATE);
}

size_t narrows_work_bytes(const narrows_coder *coder, size_t n)
{
    return size_of(coder, n, WORK);
}

size_t narrows_stream_bound(const narrows_coder *coder, size_t n)
{
    size_t payload = size_of(coder, n, PAYLOAD);

    return payload == SIZE_MAX ? SIZE_MAX : STREAM_HEADER + payload;
}
