/* impls.c - the implementations of this build. */
#include "kernels/plain/codec_host.h"
#include "kernels/plain/plain.h"

#ifdef NW_CUDA
#include "kernels/plain/device.h"
#endif

CODEC_HOST_FUNCTIONS(plain, plain)

static const struct codec_impl impls[] = {
#ifdef NW_CUDA
    { { "cuda", IMPL_DEVICE, 0, plain_cuda_usable }, plain_compress_cuda, plain_decompress_cuda },
#endif
    CODEC_HOST_ROWS{ .impl = { 0 } },
};

static size_t bound(size_t n, const struct codec_params *p)
{
    (void)p;
    return 4 * n;
}

static size_t none(size_t n, const struct codec_params *p)
{
    (void)n, (void)p;
    return 0;
}

const struct codec codec_plain = {
    .name = "fp32",
    .id = CODEC_ID_FP32,
    .what = "the values as they are",
    .source = "arXiv 1802.07389, section 5.1",
    .class = CODEC_REDUCIBLE,
    .payload_bound = bound,
    .state_size = none,
    .work_size = none,
    .impls = impls,
};
