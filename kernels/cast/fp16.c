/* fp16.c - the codec's rows. */
#include "kernels/cast/host.h"

#ifdef NW_CUDA
#include "kernels/cast/device.h"
#endif

CODEC_HOST_FUNCTIONS(fp16, cast)

static const struct codec_impl impls[] = {
#ifdef NW_CUDA
    { { "cuda", IMPL_DEVICE, 0, cast_cuda_usable }, fp16_compress_cuda, fp16_decompress_cuda },
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

const struct codec codec_fp16 = {
    .name = "fp16",
    .id = CODEC_ID_FP16,
    .what = "IEEE 754 binary16, rounded to nearest even",
    .source = "IEEE 754-2019",
    .class = CODEC_REDUCIBLE,
    .payload_bound = bound,
    .state_size = none,
    .work_size = none,
    .impls = impls,
};
