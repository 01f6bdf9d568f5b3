/* cuda.cu - a warp sums a block of values, its threads being the 32 lanes of the definition; one block of threads makes
 * the two means; a pass sends the signs. A leaf: kernels and their launchers, on the default stream. */
#include "kernels/onebit/onebit.h"

#include "kernels/onebit/onebit_lane.h"
#include "kernels/shared/receive.cuh"

namespace
{
enum { WARPS = 8, THREADS = 32 * WARPS, BATCH = 8, MEAN_THREADS = 1024, MEAN_TILE = 2048 };
const size_t MOST_BLOCKS = 2112;

/* What one lane adds. A 0 in place of a value of the other sign changes no sum: none is ever -0. */
struct lane_sums {
    double positive, negative;
    uint64_t negatives;

    __device__ void add(float x)
    {
        bool below = x < 0;

        positive = __dadd_rn(positive, below ? 0.0 : static_cast<double>(x));
        negative = __dadd_rn(negative, below ? static_cast<double>(x) : 0.0);
        negatives += below;
    }
};

/* onebit_fold() over the lanes of a warp: in lane 0 the sum is the one of the definition, the upper lanes of each step
 * add what is not looked at. */
__device__ double fold_warp(double sum)
{
    for (int half = ONEBIT_LANES / 2; half; half /= 2)
        sum = __dadd_rn(sum, __shfl_down_sync(0xffffffffu, sum, half));
    return sum;
}

__device__ uint64_t count_warp(uint64_t count)
{
    for (int half = 16; half; half /= 2)
        count += __shfl_down_sync(0xffffffffu, static_cast<unsigned long long>(count), half);
    return count;
}

/* The values from 'at' on, one in 32, for a lane; several are read before one is written. */
__device__ void sum_lane_of_block(lane_sums &sums, float *e, const float *v, size_t at, size_t to)
{
    for (; at + 32 * (BATCH - 1) < to; at += 32 * BATCH) {
        float x[BATCH];

#pragma unroll
        for (int j = 0; j < BATCH; j++)
            x[j] = onebit_accumulate(e[at + 32 * j], v[at + 32 * j]);
#pragma unroll
        for (int j = 0; j < BATCH; j++) {
            e[at + 32 * j] = x[j];
            sums.add(x[j]);
        }
    }
    for (; at < to; at += 32) {
        float x = onebit_accumulate(e[at], v[at]);

        e[at] = x;
        sums.add(x);
    }
}

__global__ void __launch_bounds__(THREADS)
    sum_blocks(onebit_sums *work, float *e, const float *v, size_t n, size_t blocks)
{
    size_t lane = threadIdx.x % 32, step = static_cast<size_t>(gridDim.x) * WARPS;

    for (size_t b = static_cast<size_t>(blockIdx.x) * WARPS + threadIdx.x / 32; b < blocks; b += step) {
        size_t from = b * ONEBIT_BLOCK, to = n - from < ONEBIT_BLOCK ? n : from + ONEBIT_BLOCK;
        lane_sums sums = { 0, 0, 0 };

        sum_lane_of_block(sums, e, v, from + lane, to);
        sums.positive = fold_warp(sums.positive);
        sums.negative = fold_warp(sums.negative);
        sums.negatives = count_warp(sums.negatives);
        if (lane == 0)
            work[b] = { sums.positive, sums.negative, sums.negatives };
    }
}

/* As onebit_means_of(): all threads fetch, the first warp adds in order. */
__global__ void __launch_bounds__(MEAN_THREADS)
    find_means(uint8_t *tail, uint64_t *nbytes, const onebit_sums *work, size_t n, size_t blocks)
{
    __shared__ double positive[MEAN_TILE], negative[MEAN_TILE];
    __shared__ unsigned long long negatives;
    unsigned long long mine = 0;
    double a = 0, b = 0;

    if (threadIdx.x == 0)
        negatives = 0;
    for (size_t tile = 0; tile < blocks; tile += MEAN_TILE) {
        size_t left = blocks - tile, count = min(left, static_cast<size_t>(MEAN_TILE));

        for (size_t i = threadIdx.x; i < count; i += MEAN_THREADS) {
            onebit_sums s = work[tile + i];

            positive[i] = s.positive;
            negative[i] = s.negative;
            mine += s.negatives;
        }
        __syncthreads();
        for (size_t i = threadIdx.x; threadIdx.x < 32 && i < count; i += 32) {
            a = __dadd_rn(a, positive[i]);
            b = __dadd_rn(b, negative[i]);
        }
        __syncthreads();
    }
    __syncthreads();
    mine = count_warp(mine);
    if (threadIdx.x % 32 == 0 && mine)
        atomicAdd(&negatives, mine);
    __syncthreads();
    if (threadIdx.x >= 32)
        return;
    a = fold_warp(a);
    b = fold_warp(b);
    if (threadIdx.x == 0) {
        float above = n > negatives ? static_cast<float>(a / static_cast<double>(n - negatives)) : 0.0f;
        float below = negatives ? static_cast<float>(b / static_cast<double>(negatives)) : 0.0f;

        quads_put_word(tail, __float_as_uint(above));
        quads_put_word(tail + 4, __float_as_uint(below));
        *nbytes = onebit_bytes(n) + 8;
    }
}

__device__ onebit_means means_at(const uint8_t *tail)
{
    return { __uint_as_float(quads_get_word(tail)), __uint_as_float(quads_get_word(tail + 4)) };
}

/* What is left of a value; *bit is whether it is below 0. */
__device__ float send_one(float e, onebit_means m, unsigned bit, unsigned *bits)
{
    bool below = e < 0;

    *bits |= static_cast<unsigned>(below) << bit;
    return e - (below ? m.negative : m.positive);
}

/* A thread has four values and so half a byte; the even ones write for two. The state starts on 64 bytes. */
__global__ void __launch_bounds__(QUADS_THREADS) send(uint8_t *bits, float *e, size_t n, const uint8_t *tail)
{
    size_t first = static_cast<size_t>(blockIdx.x) * QUADS_TILE + threadIdx.x, whole = n / 4,
           quads = whole + (n % 4 != 0);
    onebit_means m = means_at(tail);
    float4 v[QUADS_TURNS];

#pragma unroll
    for (int turn = 0; turn < QUADS_TURNS; turn++)
        if (first + turn * QUADS_THREADS < whole)
            v[turn] = quads_load(e, first + turn * QUADS_THREADS, true);
#pragma unroll
    for (int turn = 0; turn < QUADS_TURNS; turn++) {
        size_t q = first + turn * QUADS_THREADS;
        unsigned half = 0, upper;

        if (q < whole) {
            float4 x = v[turn];

            x.x = send_one(x.x, m, 0, &half);
            x.y = send_one(x.y, m, 1, &half);
            x.z = send_one(x.z, m, 2, &half);
            x.w = send_one(x.w, m, 3, &half);
            quads_store(e, q, x, true);
        } else {
            for (size_t i = 4 * q; i < n; i++)
                e[i] = send_one(e[i], m, static_cast<unsigned>(i % 4), &half);
        }
        upper = __shfl_down_sync(0xffffffffu, half, 1);
        if (q < quads && q % 2 == 0)
            bits[q / 2] = static_cast<uint8_t>(half | upper << 4);
    }
}

__global__ void check(const uint8_t *payload, size_t n, int *error)
{
    if (!onebit_means_are_valid(means_at(payload + onebit_bytes(n))) || (n % 8 && payload[n / 8] >> n % 8))
        *error = CODEC_CONTENT;
}

struct receive {
    struct Taken {
        float4 old;
        unsigned bits;
    };
    receiver to;
    const uint8_t *bits, *tail;

    __device__ bool idle() const
    {
        return to.idle();
    }

    __device__ Taken take(size_t q) const
    {
        return { to.before(q), static_cast<unsigned>(bits[q / 2] >> 4 * (q % 2)) };
    }

    __device__ uint32_t give(size_t q, Taken t) const
    {
        onebit_means m = means_at(tail);

        to.put(q, t.old,
               make_float4(t.bits & 1 ? m.negative : m.positive, t.bits & 2 ? m.negative : m.positive,
                           t.bits & 4 ? m.negative : m.positive, t.bits & 8 ? m.negative : m.positive));
        return 0;
    }

    __device__ uint32_t one(size_t i) const
    {
        onebit_means m = means_at(tail);

        to.put_one(i, bits[i / 8] >> i % 8 & 1 ? m.negative : m.positive);
        return 0;
    }

    __device__ void last() const
    {
    }
};
} // namespace

void onebit_compress_cuda(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,
                          const struct codec_params *, void *state, void *work)
{
    cudaStream_t on = stream_of(im);
    onebit_sums *sums = static_cast<onebit_sums *>(work);
    float *e = static_cast<float *>(state);
    uint8_t *tail = payload + onebit_bytes(n);
    size_t blocks = (n + ONEBIT_BLOCK - 1) / ONEBIT_BLOCK, grid = (blocks + WARPS - 1) / WARPS;

    if (n)
        NW_LAUNCH(sum_blocks, static_cast<unsigned>(grid < MOST_BLOCKS ? grid : MOST_BLOCKS), THREADS, 0, on, sums, e,
                  values, n, blocks);
    NW_LAUNCH(find_means, 1, MEAN_THREADS, 0, on, tail, nbytes, sums, n, blocks);
    if (n)
        NW_LAUNCH(send, quads_blocks(n + 3), QUADS_THREADS, 0, on, payload, e, n, tail);
}

void onebit_decompress_cuda(const struct impl *im, float *values, size_t n, enum codec_into into,
                            const uint8_t *payload, size_t nbytes, const struct codec_params *, void *, int *error)
{
    cudaStream_t on = stream_of(im);
    size_t want = onebit_bytes(n) + 8;
    receive pass = { receiver_of(values, into == CODEC_ADD, error), payload, payload + onebit_bytes(n) };

    error_begin(on, error, codec_size_error(nbytes, want));
    if (nbytes != want)
        return;
    NW_LAUNCH(check, 1, 1, 0, on, payload, n, error);
    quads_run(on, pass, n);
}
