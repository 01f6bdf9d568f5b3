/* impls.c - the implementations of this build. */
#include "kernels/stochastic3/host.h"

#ifdef NW_CUDA
#include "kernels/stochastic3/device.h"
#endif

CODEC_HOST_FUNCTIONS(stochastic3, stochastic3)

static const struct codec_impl impls[] = {
#ifdef NW_CUDA
    { { "cuda", IMPL_DEVICE, 0, stochastic3_cuda_usable }, stochastic3_compress_cuda, stochastic3_decompress_cuda },
#endif
    CODEC_HOST_ROWS{ .impl = { 0 } },
};

static size_t bound(size_t n, const struct codec_params *p)
{
    (void)p;
    return stochastic3_bytes(n) + 4;
}

static size_t counter(size_t n, const struct codec_params *p)
{
    (void)n, (void)p;
    return sizeof(uint64_t);
}

static size_t none(size_t n, const struct codec_params *p)
{
    (void)n, (void)p;
    return 0;
}

const struct codec codec_stochastic3 = {
    .name = "stoch3",
    .id = CODEC_ID_STOCH3,
    .what = "three values, drawn so that the expectation is the value; five in a byte",
    .source = "arXiv 1802.07389, section 5.1",
    .class = CODEC_GATHERED,
    .param = { { "seed", "", "of the random draws; a worker and tensor each need their own", 0, 9007199254740991.0, 0,
                 1 } },
    .payload_bound = bound,
    .state_size = counter,
    .work_size = none,
    .impls = impls,
};
