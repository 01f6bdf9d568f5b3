/* codec.c - the codec and its implementations in this build. */
#include <string.h>

#include "kernels/local_steps/local_steps.h"
#include "kernels/shared/receive.h"
#include "kernels/shared/rows.h"

/* The first step copies and the last one adds into the payload, so that the sums need never be cleared. */
static void local_steps_compress(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const float *values,
                                 size_t n, const struct codec_params *p, void *state, void *work)
{
    uint64_t *step = (uint64_t *)(void *)((uint8_t *)state + local_steps_sums(n));
    float *sums = state;
    bool last = *step + 1 >= (uint64_t)p->value[0];
    float *to = last ? (float *)(void *)payload : sums;

    (void)work;
    if (*step == 0)
        plain_copy(im->with, share_of(im), to, values, n);
    else
        plain_sum(im->with, share_of(im), to, sums, values, n, last);
    *step = last ? 0 : *step + 1;
    *nbytes = last ? 4 * n : 0;
}

static void clear(void *job, size_t from, size_t to)
{
    memset((float *)job + from, 0, 4 * (to - from));
}

static void local_steps_decompress(const struct impl *im, float *values, size_t n, enum codec_into into,
                                   const uint8_t *payload, size_t nbytes, const struct codec_params *p, void *work,
                                   int *error)
{
    const float *sent = (const float *)(const void *)payload;

    (void)p, (void)work;
    *error = nbytes ? codec_size_error(nbytes, 4 * n) : CODEC_OK;
    if (*error)
        return;
    if (nbytes == 0 && into == CODEC_STORE)
        share_of(im)(clear, values, n, 1024);
    else if (nbytes != 0 && into == CODEC_STORE)
        plain_copy(im->with, share_of(im), values, sent, n);
    else if (nbytes != 0)
        plain_sum(im->with, share_of(im), values, values, sent, n, false);
}

static const struct codec_impl impls[] = CODEC_ROWS(local_steps, plain, usable_avx512_bw, usable_avx2);

static size_t sums(size_t n, const struct codec_params *p)
{
    (void)p;
    return local_steps_sums(n) + sizeof(uint64_t);
}

const struct codec codec_local_steps = {
    .name = "local",
    .id = CODEC_ID_LOCAL,
    .what = "the sum of k steps on every k-th, nothing in between",
    .source = "arXiv 1802.07389, section 5.1",
    .class = CODEC_REDUCIBLE,
    .param = { { "k", "steps", "from one transmission to the next", 1, 1000000, 2, 1 } },
    .payload_bound = codec_words,
    .state_size = sums,
    .work_size = codec_no_bytes,
    .impls = impls,
};
