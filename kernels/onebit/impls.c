/* impls.c - the implementations of this build. */
#include "kernels/onebit/host.h"

#ifdef NW_CUDA
#include "kernels/onebit/device.h"
#endif

CODEC_HOST_FUNCTIONS(onebit, onebit)

static const struct codec_impl impls[] = {
#ifdef NW_CUDA
    { { "cuda", IMPL_DEVICE, 0, onebit_cuda_usable }, onebit_compress_cuda, onebit_decompress_cuda },
#endif
    CODEC_HOST_ROWS{ .impl = { 0 } },
};

static size_t bound(size_t n, const struct codec_params *p)
{
    (void)p;
    return onebit_bytes(n) + sizeof(struct onebit_means);
}

static size_t errors(size_t n, const struct codec_params *p)
{
    (void)p;
    return 4 * n;
}

static size_t sums(size_t n, const struct codec_params *p)
{
    (void)p;
    return (n / ONEBIT_BLOCK + 1) * sizeof(struct onebit_sums);
}

const struct codec codec_onebit = {
    .name = "1bit",
    .id = CODEC_ID_1BIT,
    .what = "signs and the mean of each sign, with error feedback",
    .source = "arXiv 1802.07389, section 5.1",
    .class = CODEC_GATHERED,
    .payload_bound = bound,
    .state_size = errors,
    .work_size = sums,
    .impls = impls,
};
