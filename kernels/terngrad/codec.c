/* codec.c - the codec and its implementations in this build. */
#include "kernels/qsgd/host.h"
#include "kernels/shared/rows.h"
#include "kernels/terngrad/terngrad.h"
#include "kernels/terngrad/terngrad_lane.h"

enum { CLIP, SEED };

static void terngrad_compress(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,
                              const struct codec_params *p, void *state, void *work)
{
    const struct qsgd_spans *isa = im->with;
    share_fn *share = share_of(im);
    double clip = p->value[CLIP], l2 = clip > 0 ? qsgd_l2(im, values, n, work) : 0;
    uint32_t most = magnitude_find(isa->magnitude, share, values, n).bits;
    struct drawn_scale s = qsgd_scale_of(terngrad_magnitude(l2, most, n, clip), 1);

    drawn_send(&isa->drawn, share, payload, nbytes, values, n, &s, s.step, (uint64_t)p->value[SEED], state);
}

static void terngrad_decompress(const struct impl *im, float *values, size_t n, enum codec_into into,
                                const uint8_t *payload, size_t nbytes, const struct codec_params *p, void *work,
                                int *error)
{
    (void)p, (void)work;
    qsgd_take(im, values, n, into, payload, nbytes, 1, error);
}

static const struct codec_impl impls[] = CODEC_ROWS(terngrad, qsgd, usable_avx512, usable_avx2);

static size_t bound(size_t n, const struct codec_params *p)
{
    (void)p;
    return drawn_bytes(n, 2) + sizeof(float);
}

const struct codec codec_terngrad = {
    .name = "terngrad",
    .id = CODEC_ID_TERNGRAD,
    .what = "three values, drawn so that the expectation is the clipped value",
    .source = "arXiv 1705.07878, algorithm 1 and its gradient clipping",
    .class = CODEC_GATHERED,
    .param = { { "clip", "", "standard deviations that values are cut to, 0: none are", 0, 1000, 2.5, 0 },
               { "seed", "", "of the random draws; a worker and tensor each need their own", 0, 9007199254740991.0, 0,
                 1 } },
    .payload_bound = bound,
    .state_size = drawn_state,
    .work_size = qsgd_work,
    .impls = impls,
};
