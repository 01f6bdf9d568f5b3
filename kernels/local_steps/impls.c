/* impls.c - the implementations of this build. */
#include "kernels/local_steps/host.h"

#ifdef NW_CUDA
#include "kernels/local_steps/device.h"
#endif

CODEC_HOST_FUNCTIONS(local_steps, plain)

static const struct codec_impl impls[] = {
#ifdef NW_CUDA
    { { "cuda", IMPL_DEVICE, 0, local_steps_cuda_usable }, local_steps_compress_cuda, local_steps_decompress_cuda },
#endif
    CODEC_HOST_ROWS{ .impl = { 0 } },
};

static size_t bound(size_t n, const struct codec_params *p)
{
    (void)p;
    return 4 * n;
}

static size_t sums(size_t n, const struct codec_params *p)
{
    (void)p;
    return local_steps_sums(n) + sizeof(uint64_t);
}

static size_t none(size_t n, const struct codec_params *p)
{
    (void)n, (void)p;
    return 0;
}

const struct codec codec_local_steps = {
    .name = "local",
    .id = CODEC_ID_LOCAL,
    .what = "the sum of k steps on every k-th, nothing in between",
    .source = "arXiv 1802.07389, section 5.1",
    .class = CODEC_REDUCIBLE,
    .param = { { "k", "steps", "from one transmission to the next", 1, 1000000, 2, 1 } },
    .payload_bound = bound,
    .state_size = sums,
    .work_size = none,
    .impls = impls,
};
