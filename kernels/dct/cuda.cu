/* cuda.cu - a step of the codec. Whether the threshold has served its time is known to the device alone: all that
 * finding a new one takes is launched in every step, and returns at once where it is not wanted. */
#include "kernels/dct/dct.h"
#include "kernels/dct/dct_lane.h"
#include "kernels/select/device.h"
#include "kernels/shared/launch.cuh"
#include "kernels/sparse/device.h"

enum { DROPPED, LIFESPAN, DRAIN, SEED, THREADS = 256, MAX_BLOCKS = 4096 };

/* The state, with what a step keeps in the bytes that are zero between steps. */
struct dct_step {
    struct dct_state kept;
    struct select_result found; /* 'keep' holds in either case */
    uint32_t wanted, zero;      /* a new threshold */
};
static_assert(sizeof(struct dct_step) <= DCT_STATE, "the unsent changes follow");

__global__ static void begin(struct dct_step *s)
{
    s->wanted = s->kept.left == 0;
    s->found.keep.tie_end = UINT64_MAX;
    s->found.keep.threshold = s->kept.threshold;
}

__global__ static void accumulate(const struct dct_step *s, float *error, const float *values, size_t n)
{
    if (s->wanted)
        for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < n; i += (size_t)gridDim.x * THREADS)
            error[i] = sparse_float(sparse_sum(error[i], values[i]));
}

/* A thread decides over 32 values: a word of their group's four. */
__global__ static void drain(const struct dct_step *s, float *error, size_t n, uint64_t every, uint64_t seed)
{
    struct threefry_key key = dct_drain_key(seed, s->kept.steps);

    if (!dct_drains(s->kept.steps, every))
        return;
    for (size_t w = (size_t)blockIdx.x * THREADS + threadIdx.x; 32 * w < n; w += (size_t)gridDim.x * THREADS) {
        uint32_t word[4];

        dct_drain_words(word, &key, w / 4);
        for (size_t i = 32 * w; i < n && i < 32 * w + 32; i++)
            if (word[w % 4] >> i % 32 & 1)
                error[i] = 0;
    }
}

__global__ static void settle(struct dct_step *s, uint64_t lifespan, int count)
{
    if (s->wanted) {
        s->found.keep = dct_no_zeros(s->found.keep);
        s->kept.threshold = s->found.keep.threshold;
        s->kept.left = lifespan;
    }
    s->kept.left--;
    s->kept.steps += (uint64_t)count;
}

void dct_compress_cuda(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,
                       const struct codec_params *p, void *state, void *work)
{
    cudaStream_t on = stream_of(im);
    struct dct_step *s = static_cast<struct dct_step *>(state);
    float *error = reinterpret_cast<float *>(static_cast<uint8_t *>(state) + DCT_STATE);
    size_t all = n / THREADS + 1;
    unsigned blocks = all < MAX_BLOCKS ? (unsigned)all : (unsigned)MAX_BLOCKS;
    uint64_t every = (uint64_t)p->value[DRAIN];

    NW_LAUNCH(begin, 1, 1, 0, on, s);
    if (every)
        NW_LAUNCH(drain, blocks / 32 + 1, THREADS, 0, on, s, error, n, every, (uint64_t)p->value[SEED]);
    NW_LAUNCH(accumulate, blocks, THREADS, 0, on, s, error, values, n);
    select_kth_if_cuda(on, &s->wanted, &s->found, error, n, (size_t)dct_kept(n, p->value[DROPPED]), work);
    NW_LAUNCH(settle, 1, 1, 0, on, s, (uint64_t)p->value[LIFESPAN], every > 0);
    sparse_compress_if_cuda(on, &s->wanted, payload, nbytes, error, values, n, &s->found.keep, SPARSE_SMALLER, work);
    cudaMemsetAsync(reinterpret_cast<uint8_t *>(s) + sizeof(s->kept), 0, sizeof(*s) - sizeof(s->kept), on);
}

void dct_decompress_cuda(const struct impl *im, float *values, size_t n, enum codec_into into, const uint8_t *payload,
                         size_t nbytes, const struct codec_params *p, void *work, int *error)
{
    (void)p;
    sparse_expand_cuda(stream_of(im), values, n, into, payload, nbytes, SPARSE_SMALLER, work, error);
}
