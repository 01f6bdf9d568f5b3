/* cuda.cu - a step of the codec: many blocks take the sample, one finds the threshold in it. */
#include "kernels/select/pick.cuh"
#include "kernels/sparse/device.h"
#include "kernels/sparsify/sparsify.h"
#include "kernels/sparsify/sparsify_lane.h"

/* The sample lies behind the 'keep' in work; both are done with, or left alone, when the payload is written. */
enum { SAMPLE = 64 };

__global__ static void take(uint32_t *sample, uint64_t samples, const float *error, const float *change, uint64_t n)
{
    uint64_t j = (uint64_t)blockIdx.x * THREADS + threadIdx.x;

    if (j < samples)
        sample[j] = sparsify_sample(error, change, j, n, samples);
}

__global__ static void __launch_bounds__(SAMPLERS)
    find(struct sparse_keep *keep, const uint32_t *sample, uint64_t samples, unsigned long long rank)
{
    uint32_t threshold = samples ? kth_in_block(sample, samples, &rank) : 1;

    if (threadIdx.x == 0) {
        keep->tie_end = UINT64_MAX;
        keep->threshold = threshold ? threshold : 1;
    }
}

void sparsify_compress_cuda(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,
                            const struct codec_params *p, void *state, void *work)
{
    cudaStream_t on = stream_of(im);
    struct sparse_keep *keep =
        reinterpret_cast<struct sparse_keep *>(static_cast<uint8_t *>(work) + SPARSE_DEVICE_KEEP);
    uint32_t *sample = reinterpret_cast<uint32_t *>(static_cast<uint8_t *>(work) + SAMPLE);
    uint64_t samples = sparsify_samples(n);
    float *error = static_cast<float *>(state);

    if (samples)
        NW_LAUNCH(take, (unsigned)((samples + THREADS - 1) / THREADS), THREADS, 0, on, sample, samples, error, values,
                  n);
    NW_LAUNCH(find, 1, SAMPLERS, 0, on, keep, sample, samples, sparsify_rank(samples, p->value[0]));
    sparse_compress_cuda(on, payload, nbytes, error, values, n, keep, SPARSE_BITMAP, work);
}

void sparsify_decompress_cuda(const struct impl *im, float *values, size_t n, enum codec_into into,
                              const uint8_t *payload, size_t nbytes, const struct codec_params *p, void *work,
                              int *error)
{
    (void)p;
    sparse_expand_cuda(stream_of(im), values, n, into, payload, nbytes, SPARSE_BITMAP, work, error);
}
