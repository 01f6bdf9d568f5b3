/* cuda.cu - the largest magnitude, then sixteen threads for each group of 128 positions: a thread draws once for eight
 * positions of a partition. While a compression runs, *nbytes holds the bits of the largest magnitude. A leaf: kernels
 * and their launchers, on the default stream. */
#include "kernels/stochastic3/stochastic3.h"

#include "kernels/magnitude/most.cuh"
#include "kernels/shared/check.cuh"
#include "kernels/shared/fives.cuh"
#include "kernels/shared/receive.cuh"
#include "kernels/stochastic3/stochastic3_lane.h"

namespace
{
enum { PER_THREAD = STOCHASTIC3_GROUP / STOCHASTIC3_LANES, GROUPS = QUADS_THREADS / STOCHASTIC3_LANES };

struct encoding {
    uint8_t *bytes;
    const float *values;
    size_t n, each; /* values, bytes */
    uint64_t seed;
    const uint64_t *steps;
    const uint32_t *most;
};

/* What a partition's values from 'first' on count in the bytes of a thread; 'count' of them are there. */
__device__ void add_partition(int sum[PER_THREAD], const float *values, size_t first, size_t count,
                              const uint32_t word[4], stochastic3_scale scale, int weight)
{
    float v[PER_THREAD];

#pragma unroll
    for (int j = 0; j < PER_THREAD; j++)
        v[j] = static_cast<size_t>(STOCHASTIC3_LANES * j) < count ? values[first + STOCHASTIC3_LANES * j] : 0;
#pragma unroll
    for (int j = 0; j < PER_THREAD; j++) {
        uint32_t drawn = j % 2 ? threefry_rotate(word[j / 2], 16) : word[j / 2];

        if (static_cast<size_t>(STOCHASTIC3_LANES * j) < count)
            sum[j] += weight * stochastic3_trit(v[j], drawn, scale);
    }
}

__global__ void __launch_bounds__(QUADS_THREADS) encode(encoding e)
{
    unsigned lane = threadIdx.x % STOCHASTIC3_LANES;
    size_t group = static_cast<size_t>(blockIdx.x) * GROUPS + threadIdx.x / STOCHASTIC3_LANES;
    size_t at = group * STOCHASTIC3_GROUP + lane;
    stochastic3_scale scale = stochastic3_scale_of(*e.most);
    struct threefry_key key = stochastic3_key(e.seed, *e.steps);
    int sum[PER_THREAD] = { 0 };

    if (at >= e.each)
        return;
#pragma unroll
    for (int partition = 0; partition < 5; partition++) {
        size_t first = partition * e.each + at, there = first < e.n ? e.n - first : 0;
        uint32_t word[4];

        stochastic3_words(word, &key, group * STOCHASTIC3_LANES + lane, partition);
        add_partition(sum, e.values, first, there < e.each - at ? there : e.each - at, word, scale,
                      stochastic3_weight(partition));
    }
#pragma unroll
    for (int j = 0; j < PER_THREAD; j++)
        if (at + STOCHASTIC3_LANES * j < e.each)
            e.bytes[at + STOCHASTIC3_LANES * j] = static_cast<uint8_t>(sum[j]);
}

__global__ void finish(uint8_t *tail, uint64_t *nbytes, uint64_t *steps, uint64_t size)
{
    quads_put_word(tail, static_cast<uint32_t>(*nbytes));
    *nbytes = size;
    ++*steps;
}

/* All but that no byte is above 242. */
__global__ void check(const uint8_t *payload, size_t n, size_t each, int *error)
{
    if (quads_get_word(payload + each) >= 0x7f800000u)
        *error = CODEC_CONTENT;
    for (size_t i = n; i < 5 * each; i++)
        if (stochastic3_digit(payload[i % each], static_cast<int>(i / each)))
            *error = CODEC_CONTENT;
}

struct put_value {
    const uint8_t *most;
    bool add;

    __device__ void put(float *value, int digit) const
    {
        float v = stochastic3_value(digit, __uint_as_float(quads_get_word(most)));

        *value = add ? sum_lane(*value, v) : v;
    }
};
} // namespace

void stochastic3_compress_cuda(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,
                               const struct codec_params *p, void *state, void *)
{
    cudaStream_t on = stream_of(im);
    size_t each = stochastic3_bytes(n), groups = (each + STOCHASTIC3_GROUP - 1) / STOCHASTIC3_GROUP;
    uint64_t *steps = static_cast<uint64_t *>(state);
    encoding e = {
        payload, values, n, each, static_cast<uint64_t>(p->value[0]), steps, reinterpret_cast<const uint32_t *>(nbytes)
    };

    magnitude_most(on, nbytes, values, n);
    if (n)
        NW_LAUNCH(encode, static_cast<unsigned>((groups + GROUPS - 1) / GROUPS), QUADS_THREADS, 0, on, e);
    NW_LAUNCH(finish, 1, 1, 0, on, payload + each, nbytes, steps, each + 4);
}

void stochastic3_decompress_cuda(const struct impl *im, float *values, size_t n, enum codec_into into,
                                 const uint8_t *payload, size_t nbytes, const struct codec_params *, void *, int *error)
{
    cudaStream_t on = stream_of(im);
    size_t each = stochastic3_bytes(n), want = each + 4;
    put_value value = { payload + each, into == CODEC_ADD };

    error_begin(on, error, codec_size_error(nbytes, want));
    if (nbytes != want)
        return;
    check_bytes<byte_above_242>(on, payload, each, error);
    NW_LAUNCH(check, 1, 1, 0, on, payload, n, each, error);
    if (n)
        fives_run(on, value, values, n, payload, each, error);
}
