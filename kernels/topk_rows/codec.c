/* codec.c - the codec "dct-mp": whole rows, and what is left as one shorter row. */
#include "kernels/shared/rows.h"
#include "kernels/topk_rows/host.h"

struct shape {
    size_t columns, kept, rows, rest; /* rows of 'columns', then one of 'rest' values */
    size_t words, last_words;         /* of mask: of the rows, of the rest */
    size_t count;                     /* values of the rows */
    size_t last_kept;
};

static struct shape shape_of(size_t n, const struct codec_params *p)
{
    struct shape s = { .columns = (size_t)p->value[0], .kept = (size_t)p->value[1] };

    s.kept = s.kept < s.columns ? s.kept : s.columns;
    s.rows = n / s.columns;
    s.rest = n % s.columns;
    s.words = s.rows * topk_mask_words(s.columns);
    s.last_words = topk_mask_words(s.rest);
    s.count = s.rows * s.kept;
    s.last_kept = s.kept < s.rest ? s.kept : s.rest;
    return s;
}

static size_t payload_bound(size_t n, const struct codec_params *p)
{
    struct shape s = shape_of(n, p);

    return 8 * (s.words + s.last_words) + 4 * (s.count + s.last_kept);
}

static size_t work_size(size_t n, const struct codec_params *p)
{
    struct shape s = shape_of(n, p);
    size_t most = topk_work(s.rows, s.columns), last = s.rest ? topk_work(1, s.rest) : 0;

    return most > last ? most : last;
}

static void topk_compress(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,
                          const struct codec_params *p, void *state, void *work)
{
    struct shape s = shape_of(n, p);
    uint64_t *mask = (uint64_t *)(void *)payload;
    float *chosen = (float *)(void *)(mask + s.words + s.last_words);

    (void)state;
    topk_select(im, mask, chosen, values, s.rows, s.columns, s.kept, work);
    if (s.rest)
        topk_select(im, mask + s.words, chosen + s.count, values + s.rows * s.columns, 1, s.rest, s.kept, work);
    *nbytes = payload_bound(n, p);
}

static bool rows_are_right(const struct topk_isa *isa, const uint64_t *mask, size_t rows, size_t columns, size_t kept)
{
    size_t words = topk_mask_words(columns);

    for (size_t r = 0; r < rows; r++, mask += words)
        if (isa->sparse->count(mask, words) != kept || (columns % 64 && mask[words - 1] >> columns % 64))
            return 0;
    return 1;
}

static void topk_decompress(const struct impl *im, float *values, size_t n, enum codec_into into,
                            const uint8_t *payload, size_t nbytes, const struct codec_params *p, void *work, int *error)
{
    const struct topk_isa *isa = im->with;
    struct shape s = shape_of(n, p);
    const uint64_t *mask = (const uint64_t *)(const void *)payload;
    const float *chosen = (const float *)(const void *)(mask + s.words + s.last_words);

    (void)work;
    *error = codec_size_error(nbytes, payload_bound(n, p));
    if (!*error && !(rows_are_right(isa, mask, s.rows, s.columns, s.kept) &&
                     (!s.rest || rows_are_right(isa, mask + s.words, 1, s.rest, s.last_kept))))
        *error = CODEC_CONTENT;
    if (*error)
        return;
    topk_scatter(im, values, into, mask, chosen, s.rows, s.columns, s.kept);
    if (s.rest)
        topk_scatter(im, values + s.rows * s.columns, into, mask + s.words, chosen + s.count, 1, s.rest, s.kept);
}

static const struct codec_impl impls[] = CODEC_ROWS(topk, topk, usable_avx512_vbmi2, usable_avx2_bmi);

const struct codec codec_dct_mp = {
    .name = "dct-mp",
    .id = CODEC_ID_DCT_MP,
    .what = "of each row of activations the largest magnitudes, without error feedback",
    .source = "DCT-MP, arXiv 2010.08899, Algorithm 2",
    .class = CODEC_GATHERED,
    .param = { { "columns", "values", "in a row", 1, 1099511627776.0, 1024, 1 },
               { "kept", "values", "of a row that are sent", 0, 1099511627776.0, 51, 1 } },
    .payload_bound = payload_bound,
    .state_size = codec_no_bytes,
    .work_size = work_size,
    .impls = impls,
};
