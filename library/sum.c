/* sum.c - payloads that an allreduce adds up: what is added, and the rounds of a codec that needs two. */
#include <string.h>

#include "kernels/powersgd/host.h"
#include "library/internal.h"

narrows_number narrows_payload_numbers(const narrows_coder *coder, size_t nbytes, size_t *count)
{
    struct codec_params params;
    size_t behind = 0; /* bytes that all workers have alike */
    narrows_number number = NARROWS_NO_NUMBERS;

    *count = 0;
    if (!coder_row(coder, &params))
        return number;
    switch (coder_codec(coder)->id) {
    case CODEC_ID_FP32:
    case CODEC_ID_LOCAL: number = NARROWS_FP32; break;
    case CODEC_ID_FP16: number = NARROWS_FP16; break;
    case CODEC_ID_BF16: number = NARROWS_BF16; break;
    case CODEC_ID_RANDOMK: number = NARROWS_FP32, behind = sizeof(uint64_t); break;
    default: return number;
    }
    *count = nbytes < behind ? 0 : (nbytes - behind) / (number == NARROWS_FP32 ? 4 : 2);
    return number;
}

static int check_round(const struct call *call, int round, const void *payload, const void *first, const void *nbytes,
                       const float *values, const void *state)
{
    const struct codec *c = call->codec;
    const struct buffer buffers[] = {
        { payload, c->payload_bound(call->n, &call->params), CODEC_ALIGN },
        { first, sizeof(size_t), _Alignof(size_t) },
        { nbytes, sizeof(size_t), _Alignof(size_t) },
        { values, sizeof(float) * call->n, _Alignof(float) },
        { state, c->state_size(call->n, &call->params), CODEC_ALIGN },
    };

    if (c->id != CODEC_ID_POWERSGD)
        return NARROWS_ABSENT;
    if (round < 0 || round > 2)
        return NARROWS_ARGUMENT;
    return buffers_check(buffers, sizeof(buffers) / sizeof(*buffers));
}

int narrows_round(const narrows_coder *coder, int round, void *payload, size_t *first, size_t *nbytes,
                  const float *values, size_t n, void *state)
{
    struct call call;
    struct powersgd_shape s;
    float *p = payload, *q;
    int rc = call_begin(&call, coder, IMPL_HOST, n);

    if (!rc)
        rc = check_round(&call, round, payload, first, nbytes, values, state);
    if (rc)
        return rc;
    s = powersgd_shape_by(n, &call.params);
    q = p + s.rank * s.rows;
    *first = *nbytes = 0;
    if (s.plain && n && round == 0)
        memcpy(payload, values, *nbytes = sizeof(float) * n);
    if (s.plain)
        return NARROWS_OK;
    if (round == 0) {
        powersgd_first(&call.row->impl, p, values, n, &call.params, state);
        *nbytes = sizeof(float) * s.rank * s.rows;
    } else if (round == 1) {
        powersgd_second(&call.row->impl, p, q, n, &call.params, state);
        *first = sizeof(float) * s.rank * s.rows;
        *nbytes = sizeof(float) * s.rank * s.columns;
    } else
        powersgd_last(&call.row->impl, p, q, n, &call.params, state);
    return NARROWS_OK;
}
