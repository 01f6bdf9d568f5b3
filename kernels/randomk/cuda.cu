/* cuda.cu - values and what was kept are added up, then sixteen threads take the places of 64 runs, four each. A leaf:
 * kernels and their launchers, on the default stream. */
#include "kernels/randomk/randomk.h"

#include "kernels/randomk/randomk_lane.h"
#include "kernels/shared/receive.cuh"

namespace
{
/* kept += values. */
struct keep {
    struct Taken {
        float4 kept, v;
    };
    float *kept;
    const float *values;
    bool wide;

    __device__ bool idle() const
    {
        return false;
    }

    __device__ Taken take(size_t q) const
    {
        return { quads_load(kept, q, true), quads_load(values, q, wide) };
    }

    __device__ uint32_t give(size_t q, Taken t) const
    {
        quads_store(kept, q,
                    make_float4(sum_lane(t.kept.x, t.v.x), sum_lane(t.kept.y, t.v.y), sum_lane(t.kept.z, t.v.z),
                                sum_lane(t.kept.w, t.v.w)),
                    true);
        return 0;
    }

    __device__ uint32_t one(size_t i) const
    {
        kept[i] = sum_lane(kept[i], values[i]);
        return 0;
    }

    __device__ void last() const
    {
    }
};

struct send {
    float *payload, *kept; /* kept: NULL without feedback */
    const float *values;

    __device__ void place(size_t j, size_t at, size_t length) const
    {
        payload[j] = kept ? kept[at] : values[at] * static_cast<float>(length);
        if (kept)
            kept[at] = 0;
    }
};

struct store {
    float *values;
    const float *payload;
    bool add;

    __device__ void place(size_t j, size_t at, size_t) const
    {
        values[at] = add ? sum_lane(values[at], payload[j]) : payload[j];
    }
};

/* What is done with the place of each of k runs. The step is two words, on no boundary of eight bytes. */
template <class Pass>
__global__ void __launch_bounds__(QUADS_THREADS)
    places(Pass pass, size_t k, randomk_runs runs, uint64_t seed, const uint8_t *step)
{
    unsigned lane = threadIdx.x % DRAWN_LANES;
    size_t group = static_cast<size_t>(blockIdx.x) * (QUADS_THREADS / DRAWN_LANES) + threadIdx.x / DRAWN_LANES;
    struct threefry_key key =
        drawn_key(seed, quads_get_word(step) | static_cast<uint64_t>(quads_get_word(step + 4)) << 32);
    uint32_t word[4];

    drawn_words(word, &key, group * DRAWN_LANES + lane);
#pragma unroll
    for (int w = 0; w < 4; w++) {
        size_t j = group * DRAWN_GROUP + DRAWN_LANES * w + lane;

        if (j < k)
            pass.place(j, randomk_place(runs, j, word[w]), randomk_length(runs, j));
    }
}

template <class Pass>
void places_run(cudaStream_t on, const Pass &pass, size_t k, randomk_runs runs, uint64_t seed, const uint8_t *step)
{
    size_t each = QUADS_THREADS / DRAWN_LANES * DRAWN_GROUP;

    if (k)
        NW_LAUNCH(places<Pass>, static_cast<unsigned>((k + each - 1) / each), QUADS_THREADS, 0, on, pass, k, runs, seed,
                  step);
}

__global__ void finish(uint8_t *tail, uint64_t *nbytes, uint64_t size, uint64_t *steps)
{
    quads_put_word(tail, static_cast<uint32_t>(*steps));
    quads_put_word(tail + 4, static_cast<uint32_t>(*steps >> 32));
    *nbytes = size;
    ++*steps;
}

size_t sent_of(size_t n, const struct codec_params *p)
{
    return n ? randomk_kept(p->value[0], n) : 0;
}
} // namespace

void randomk_compress_cuda(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,
                           const struct codec_params *p, void *state, void *)
{
    cudaStream_t on = stream_of(im);
    bool feedback = p->value[1] > 0;
    size_t k = sent_of(n, p);
    float *kept = feedback ? static_cast<float *>(state) : NULL;
    uint8_t *steps = static_cast<uint8_t *>(state) + randomk_counter(n, feedback);
    keep sum = { kept, values, quads_wide(values) };
    send pass = { reinterpret_cast<float *>(payload), kept, values };

    if (feedback)
        quads_run(on, sum, n);
    places_run(on, pass, k, randomk_runs_of(n, k), static_cast<uint64_t>(p->value[2]), steps);
    NW_LAUNCH(finish, 1, 1, 0, on, payload + 4 * k, nbytes, 4 * k + 8, reinterpret_cast<uint64_t *>(steps));
}

void randomk_decompress_cuda(const struct impl *im, float *values, size_t n, enum codec_into into,
                             const uint8_t *payload, size_t nbytes, const struct codec_params *p, void *, int *error)
{
    cudaStream_t on = stream_of(im);
    size_t k = sent_of(n, p);
    store pass = { values, reinterpret_cast<const float *>(payload), into == CODEC_ADD };

    error_begin(on, error, codec_size_error(nbytes, 4 * k + 8));
    if (nbytes != 4 * k + 8)
        return;
    if (into == CODEC_STORE && n)
        cudaMemsetAsync(values, 0, 4 * n, on);
    places_run(on, pass, k, randomk_runs_of(n, k), static_cast<uint64_t>(p->value[2]), payload + 4 * k);
}
