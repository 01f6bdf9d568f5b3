/* call.c - what every call checks before a codec sees its arguments. */
#include "library/internal.h"

int call_begin(struct call *call, const narrows_coder *coder, enum impl_memory where, size_t n)
{
    call->row = coder_row(coder, &call->params);
    if (!call->row)
        return NARROWS_ARGUMENT;
#ifndef NW_CUDA
    if (where == IMPL_DEVICE)
        return NARROWS_ABSENT;
#endif
    if (call->row->impl.where != where)
        return NARROWS_ARGUMENT;
    call->codec = coder_codec(coder);
    call->n = n;
    return n > NARROWS_MOST_VALUES ? NARROWS_COUNT : NARROWS_OK;
}

static bool overlap(const struct buffer *a, const struct buffer *b)
{
    uintptr_t from_a = (uintptr_t)a->at, from_b = (uintptr_t)b->at;

    return a->nbytes && b->nbytes && from_a < from_b + b->nbytes && from_b < from_a + a->nbytes;
}

int buffers_check(const struct buffer *buffers, int count)
{
    for (int i = 0; i < count; i++) {
        const struct buffer *b = &buffers[i];

        if (!b->nbytes)
            continue;
        if (!b->at || (uintptr_t)b->at > UINTPTR_MAX - b->nbytes)
            return NARROWS_ARGUMENT;
        if ((uintptr_t)b->at % b->align)
            return NARROWS_MISALIGNED;
        for (int j = 0; j < i; j++)
            if (overlap(b, &buffers[j]))
                return NARROWS_ARGUMENT;
    }
    return NARROWS_OK;
}

int call_check_encode(const struct call *call, const void *payload, size_t head, const void *nbytes,
                      const float *values, const void *state, const void *work)
{
    const struct codec *c = call->codec;
    const struct codec_params *p = &call->params;
    const struct buffer buffers[] = {
        { payload, head + c->payload_bound(call->n, p), CODEC_ALIGN },
        { nbytes, 8, _Alignof(uint64_t) },
        { values, sizeof(float) * call->n, _Alignof(float) },
        { state, c->state_size(call->n, p), CODEC_ALIGN },
        { work, c->work_size(call->n, p), CODEC_ALIGN },
    };

    return buffers_check(buffers, sizeof(buffers) / sizeof(*buffers));
}

int call_check_decode(const struct call *call, const float *values, const void *payload, size_t nbytes,
                      const void *work, const int *error)
{
    const struct buffer buffers[] = {
        { values, sizeof(float) * call->n, _Alignof(float) },
        { payload, nbytes, CODEC_ALIGN },
        { work, call->codec->work_size(call->n, &call->params), CODEC_ALIGN },
        { error, error ? sizeof(int) : 0, _Alignof(int) },
    };

    return buffers_check(buffers, sizeof(buffers) / sizeof(*buffers));
}
