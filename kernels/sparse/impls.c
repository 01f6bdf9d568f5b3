/* impls.c - the implementations of this build. */
#include "kernels/shared/rows.h"
#include "kernels/sparse/host.h"

static void compress(const struct impl *im, uint8_t *payload, uint64_t *nbytes, float *error, const float *change,
                     size_t n, const struct sparse_keep *keep, enum sparse_form form, void *work)
{
    struct sparse_task t = sparse_begin(im->with, payload, error, change, n, keep, form, work);

    *nbytes = IMPL_WAY(im, sparse_compress_serial, sparse_compress_split)(&t);
}

enum codec_error sparse_expand(const struct impl *im, const struct sparse_isa *isa, float *values, size_t n,
                               enum codec_into into, const uint8_t *payload, size_t nbytes, enum sparse_form form,
                               void *work)
{
    struct sparse_parts p;
    enum codec_error error = sparse_open(isa, &p, n, payload, nbytes, form, work);

    if (!error)
        IMPL_WAY(im, sparse_spread_serial, sparse_spread_split)(isa, &p, values, n, into);
    return error;
}

static enum codec_error expand(const struct impl *im, float *values, size_t n, enum codec_into into,
                               const uint8_t *payload, size_t nbytes, enum sparse_form form, void *work)
{
    return sparse_expand(im, im->with, values, n, into, payload, nbytes, form, work);
}

const struct sparse_impl sparse_impls[] = {
    IMPL_ROWS(sparse, usable_avx512_vbmi2, usable_avx2_bmi, compress, expand),
    { .impl = { 0 } },
};
