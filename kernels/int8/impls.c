/* impls.c - the implementations of this build. */
#include "kernels/int8/host.h"

#ifdef NW_CUDA
#include "kernels/int8/device.h"
#endif

CODEC_HOST_FUNCTIONS(int8, int8)

static const struct codec_impl impls[] = {
#ifdef NW_CUDA
    { { "cuda", IMPL_DEVICE, 0, int8_cuda_usable }, int8_compress_cuda, int8_decompress_cuda },
#endif
    CODEC_HOST_ROWS{ .impl = { 0 } },
};

static size_t bound(size_t n, const struct codec_params *p)
{
    (void)p;
    return n + 4;
}

static size_t none(size_t n, const struct codec_params *p)
{
    (void)n, (void)p;
    return 0;
}

const struct codec codec_int8 = {
    .name = "8bit",
    .id = CODEC_ID_8BIT,
    .what = "255 levels between the greatest magnitude and its negative",
    .source = "arXiv 1802.07389, section 5.1",
    .class = CODEC_GATHERED,
    .payload_bound = bound,
    .state_size = none,
    .work_size = none,
    .impls = impls,
};
