#include "kernels/plain/codec_host.h"
#include "kernels/shared/receive.h"

void plain_compress(const struct plain_spans *isa, share_fn *share, uint8_t *payload, uint64_t *nbytes,
                    const float *values, size_t n, const struct codec_params *p, void *state, void *work)
{
    (void)p, (void)state, (void)work;
    plain_copy(isa, share, (float *)(void *)payload, values, n);
    *nbytes = 4 * n;
}

int plain_decompress(const struct plain_spans *isa, share_fn *share, float *values, size_t n, enum codec_into into,
                     const uint8_t *payload, size_t nbytes, const struct codec_params *p, void *work)
{
    const float *sent = (const float *)(const void *)payload;

    (void)p, (void)work;
    if (nbytes != 4 * n)
        return nbytes < 4 * n ? CODEC_SHORT : CODEC_LONG;
    if (into == CODEC_ADD)
        plain_sum(isa, share, values, values, sent, n, 0);
    else
        plain_copy(isa, share, values, sent, n);
    return CODEC_OK;
}
