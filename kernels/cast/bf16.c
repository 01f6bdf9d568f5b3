/* bf16.c - the codec's rows. */
#include "kernels/cast/host.h"

#ifdef NW_CUDA
#include "kernels/cast/device.h"
#endif

CODEC_HOST_FUNCTIONS(bf16, cast)

static const struct codec_impl impls[] = {
#ifdef NW_CUDA
    { { "cuda", IMPL_DEVICE, 0, cast_cuda_usable }, bf16_compress_cuda, bf16_decompress_cuda },
#endif
    CODEC_HOST_ROWS{ .impl = { 0 } },
};

static size_t bound(size_t n, const struct codec_params *p)
{
    (void)p;
    return 2 * n;
}

static size_t none(size_t n, const struct codec_params *p)
{
    (void)n, (void)p;
    return 0;
}

const struct codec codec_bf16 = {
    .name = "bf16",
    .id = CODEC_ID_BF16,
    .what = "bfloat16, rounded to nearest even",
    .source = "Kalamkar et al., arXiv 1905.12322",
    .class = CODEC_REDUCIBLE,
    .payload_bound = bound,
    .state_size = none,
    .work_size = none,
    .impls = impls,
};
