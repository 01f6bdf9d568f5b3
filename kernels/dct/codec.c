/* codec.c - the codec and its implementations in this build. */
#include "kernels/dct/dct.h"
#include "kernels/dct/dct_lane.h"
#include "kernels/select/host.h"
#include "kernels/shared/least.h"
#include "kernels/shared/rows.h"
#include "kernels/shared/share.h"
#include "kernels/sparse/host.h"

enum { DROPPED, LIFESPAN, DRAIN, SEED };

static size_t payload_bound(size_t n, const struct codec_params *p)
{
    (void)p;
    return sparse_bound(n);
}

static size_t state_size(size_t n, const struct codec_params *p)
{
    (void)p;
    return DCT_STATE + 4 * n;
}

static size_t work_size(size_t n, const struct codec_params *p)
{
    size_t threshold = select_work(n), payload = sparse_work(n);

    (void)p;
    return threshold > payload ? threshold : payload;
}

struct drain {
    float *error;
    struct threefry_key key;
};

/* A pass over groups of 128 values. It runs too rarely to be written for each instruction set. */
static void drain(void *job, size_t from, size_t to)
{
    const struct drain *d = job;

    for (size_t at = from; at < to; at += DCT_DRAIN_VALUES) {
        size_t count = least(to - at, DCT_DRAIN_VALUES);
        uint32_t word[4];

        dct_drain_words(word, &d->key, at / DCT_DRAIN_VALUES);
        for (size_t i = 0; i < count; i++)
            if (word[i / 32] >> i % 32 & 1)
                d->error[at + i] = 0;
    }
}

static void drain_if_due(const struct impl *im, struct dct_state *s, float *error, size_t n,
                         const struct codec_params *p)
{
    struct drain d = { error, dct_drain_key((uint64_t)p->value[SEED], s->steps) };

    if (dct_drains(s->steps, (uint64_t)p->value[DRAIN]))
        share_of(im)(drain, &d, n, 8 * DCT_DRAIN_VALUES);
    s->steps += p->value[DRAIN] > 0;
}

static void dct_compress(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,
                         const struct codec_params *p, void *state, void *work)
{
    const struct select_isa *isa = im->with;
    struct dct_state *s = state;
    float *error = (float *)((uint8_t *)state + DCT_STATE);
    struct select_result r = { { UINT64_MAX, s->threshold }, 0 };
    struct sparse_task t;

    drain_if_due(im, s, error, n, p);
    if (!s->left) {
        IMPL_WAY(im, sparse_accumulate_serial, sparse_accumulate_split)(isa->sparse, error, values, n, work);
        select_run(isa, IMPL_WAY(im, &select_serial, &select_split), &r, NULL, NULL, error, n,
                   (size_t)dct_kept(n, p->value[DROPPED]), work);
        r.keep = dct_no_zeros(r.keep);
        s->threshold = r.keep.threshold;
        s->left = (uint64_t)p->value[LIFESPAN];
        values = NULL;
    }
    s->left--;
    t = sparse_begin(isa->sparse, payload, error, values, n, &r.keep, SPARSE_SMALLER, work);
    *nbytes = IMPL_WAY(im, sparse_compress_serial, sparse_compress_split)(&t);
}

static void dct_decompress(const struct impl *im, float *values, size_t n, enum codec_into into, const uint8_t *payload,
                           size_t nbytes, const struct codec_params *p, void *work, int *error)
{
    const struct select_isa *isa = im->with;

    (void)p;
    *error = sparse_expand(im, isa->sparse, values, n, into, payload, nbytes, SPARSE_SMALLER, work);
}

static const struct codec_impl impls[] = CODEC_ROWS(dct, select, usable_avx512_vbmi2, usable_avx2_bmi);

const struct codec codec_dct = {
    .name = "dct",
    .id = CODEC_ID_DCT,
    .what = "largest magnitudes with error feedback, the threshold found exactly once in a while",
    .source = "DCT-DP, arXiv 2010.08899, Algorithm 1 and remark 2",
    .class = CODEC_GATHERED,
    .param = { { "dropped", "share", "of the values that stay behind when the threshold is found", 0, 1, 0.95, 0 },
               { "lifespan", "steps", "that a threshold serves", 1, 1e9, 1000, 1 },
               { "drain", "steps", "after which half of what was not sent is lost, chosen at random; 0: never", 0, 1e9,
                 0, 1 },
               { "seed", "", "of what is lost; a worker and tensor each need their own", 0, 9007199254740991.0, 0,
                 1 } },
    .payload_bound = payload_bound,
    .state_size = state_size,
    .work_size = work_size,
    .impls = impls,
};
