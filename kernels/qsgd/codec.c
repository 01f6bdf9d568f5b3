/* codec.c - the codec and its implementations in this build. */
#include "kernels/qsgd/qsgd.h"

#include <string.h>

#include "kernels/qsgd/host.h"
#include "kernels/shared/rows.h"

double qsgd_l2(const struct impl *im, const float *values, size_t n, void *work)
{
    const struct qsgd_spans *isa = im->with;
    double norm;

    IMPL_WAY(im, l2norm_serial, l2norm_split)(&isa->norm, &norm, values, n, work);
    return norm;
}

static void qsgd_compress(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,
                          const struct codec_params *p, void *state, void *work)
{
    const struct qsgd_spans *isa = im->with;
    share_fn *share = share_of(im);
    int largest = p->value[1] > 0;
    double l2 = largest ? 0 : qsgd_l2(im, values, n, work);
    uint32_t most =
        largest || !(l2 <= (double)QSGD_FLT_MAX) ? magnitude_find(isa->magnitude, share, values, n).bits : 0;
    struct drawn_scale s = qsgd_scale_of(qsgd_norm(l2, most, largest), (int)p->value[0]);

    drawn_send(&isa->drawn, share, payload, nbytes, values, n, &s, s.step, (uint64_t)p->value[2], state);
}

void qsgd_take(const struct impl *im, float *values, size_t n, enum codec_into into, const uint8_t *payload,
               size_t nbytes, int levels, int *error)
{
    const struct qsgd_spans *isa = im->with;
    struct drawn_scale s = { .levels = levels, .bits = qsgd_bits(levels) };

    *error = drawn_check(share_of(im), payload, nbytes, n, qsgd_form(levels), &s.step);
    if (!*error && !qsgd_step_is_valid(s.step, levels))
        *error = CODEC_CONTENT;
    if (!*error)
        drawn_receive(&isa->drawn, share_of(im), values, n, into, payload, &s);
}

static void qsgd_decompress(const struct impl *im, float *values, size_t n, enum codec_into into,
                            const uint8_t *payload, size_t nbytes, const struct codec_params *p, void *work, int *error)
{
    (void)work;
    qsgd_take(im, values, n, into, payload, nbytes, (int)p->value[0], error);
}

static const struct codec_impl impls[] = CODEC_ROWS(qsgd, qsgd, usable_avx512, usable_avx2);

static size_t bound(size_t n, const struct codec_params *p)
{
    return drawn_bytes(n, qsgd_bits((int)p->value[0])) + sizeof(float);
}

size_t qsgd_work(size_t n, const struct codec_params *p)
{
    (void)p;
    return (l2norm_work(n) + 1) * sizeof(double);
}

const struct codec codec_qsgd = {
    .name = "qsgd",
    .id = CODEC_ID_QSGD,
    .what = "multiples of a share of the norm, drawn so that the expectation is the value",
    .source = "arXiv 1610.02132, section 3.1",
    .class = CODEC_GATHERED,
    .param = { { "levels", "", "between 0 and the norm, above 0", 1, 32767, 127, 1 },
               { "largest", "", "of the norms: 0 the l2 norm, 1 the largest magnitude", 0, 1, 0, 1 },
               { "seed", "", "of the random draws; a worker and tensor each need their own", 0, 9007199254740991.0, 0,
                 1 } },
    .payload_bound = bound,
    .state_size = drawn_state,
    .work_size = qsgd_work,
    .impls = impls,
};
