/* codec.c - the codec and its implementations in this build. */
#include <string.h>

#include "kernels/natural/host.h"
#include "kernels/natural/natural.h"
#include "kernels/shared/rows.h"

static void natural_compress(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,
                             const struct codec_params *p, void *state, void *work)
{
    const struct natural_spans *isa = im->with;
    share_fn *share = share_of(im);
    struct drawn_scale s = natural_scale_of(magnitude_find(isa->magnitude, share, values, n).bits);

    (void)work;
    drawn_send(&isa->drawn, share, payload, nbytes, values, n, &s, s.step, (uint64_t)p->value[0], state);
}

static size_t bound(size_t n, const struct codec_params *p)
{
    (void)p;
    return drawn_bytes(n, NATURAL_BITS) + sizeof(float);
}

/* What a code may be depends on the largest power, which stands behind the codes. */
static void natural_decompress(const struct impl *im, float *values, size_t n, enum codec_into into,
                               const uint8_t *payload, size_t nbytes, const struct codec_params *p, void *work,
                               int *error)
{
    const struct natural_spans *isa = im->with;
    float largest = 1;

    (void)work;
    if (nbytes == bound(n, p))
        memcpy(&largest, payload + drawn_bytes(n, NATURAL_BITS), sizeof(largest));
    *error = drawn_check(share_of(im), payload, nbytes, n, natural_form(largest), &largest);
    if (!*error && !natural_power_is_valid(largest))
        *error = CODEC_CONTENT;
    if (!*error) {
        struct drawn_scale s = natural_scale(largest);

        drawn_receive(&isa->drawn, share_of(im), values, n, into, payload, &s);
    }
}

static const struct codec_impl impls[] = CODEC_ROWS(natural, natural, usable_avx512, usable_avx2);

const struct codec codec_natural = {
    .name = "natural",
    .id = CODEC_ID_NATURAL,
    .what = "signs and powers of two, drawn so that the expectation is the value",
    .source = "arXiv 1905.10988, definition 1",
    .class = CODEC_GATHERED,
    .param = { { "seed", "", "of the random draws; a worker and tensor each need their own", 0, 9007199254740991.0, 0,
                 1 } },
    .payload_bound = bound,
    .state_size = drawn_state,
    .work_size = codec_no_bytes,
    .impls = impls,
};
