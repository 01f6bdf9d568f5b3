#include <string.h>

#include "kernels/local_steps/host.h"

/* The first step copies and the last one adds into the payload, so that the sums need never be cleared. */
void local_steps_compress(const struct plain_spans *isa, share_fn *share, uint8_t *payload, uint64_t *nbytes,
                          const float *values, size_t n, const struct codec_params *p, void *state, void *work)
{
    uint64_t *step = (uint64_t *)(void *)((uint8_t *)state + local_steps_sums(n));
    float *sums = state;
    _Bool last = *step + 1 >= (uint64_t)p->value[0];
    float *to = last ? (float *)(void *)payload : sums;

    (void)work;
    if (*step == 0)
        plain_copy(isa, share, to, values, n);
    else
        plain_sum(isa, share, to, sums, values, n, last);
    *step = last ? 0 : *step + 1;
    *nbytes = last ? 4 * n : 0;
}

static void clear(void *job, size_t from, size_t to)
{
    memset((float *)job + from, 0, 4 * (to - from));
}

int local_steps_decompress(const struct plain_spans *isa, share_fn *share, float *values, size_t n,
                           enum codec_into into, const uint8_t *payload, size_t nbytes, const struct codec_params *p,
                           void *work)
{
    const float *sent = (const float *)(const void *)payload;

    (void)p, (void)work;
    if (nbytes != 0 && nbytes != 4 * n)
        return nbytes < 4 * n ? CODEC_SHORT : CODEC_LONG;
    if (nbytes == 0 && into == CODEC_STORE)
        share(clear, values, n, 1024);
    else if (nbytes != 0 && into == CODEC_STORE)
        plain_copy(isa, share, values, sent, n);
    else if (nbytes != 0)
        plain_sum(isa, share, values, values, sent, n, 0);
    return CODEC_OK;
}
