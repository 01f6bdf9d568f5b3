/* cuda.cu - three passes: accumulate and find the largest magnitude; quantise, keep the rest and make quartic bytes;
 * encode those (runs.cuh). While a compression runs, *nbytes holds the bits of the largest magnitude. 'work' has the
 * quartic bytes, whole chunks of them, then a word for each chunk and one more. A leaf: kernels and their launchers, on
 * the default stream. */
#include "kernels/threelc/threelc.h"

#include "kernels/magnitude/most.cuh"
#include "kernels/shared/check.cuh"
#include "kernels/shared/fives.cuh"
#include "kernels/shared/receive.cuh"
#include "kernels/threelc/runs.cuh"

namespace
{
/* A push: e = sum of e and g. */
struct accumulate {
    struct Taken {
        float4 e, g;
    };
    float *e;
    const float *g;
    bool wide;

    __device__ Taken take(size_t q) const
    {
        return { quads_load(e, q, true), quads_load(g, q, wide) };
    }

    __device__ uint32_t give(size_t q, Taken t) const
    {
        float4 sum = make_float4(threelc_sum_lane(t.e.x, t.g.x), threelc_sum_lane(t.e.y, t.g.y),
                                 threelc_sum_lane(t.e.z, t.g.z), threelc_sum_lane(t.e.w, t.g.w));

        quads_store(e, q, sum, true);
        return magnitude_of_quad(sum);
    }

    __device__ uint32_t one(size_t i) const
    {
        e[i] = threelc_sum_lane(e[i], g[i]);
        return magnitude_lane(__float_as_uint(e[i]));
    }
};

/* A pull: what the receivers lack. */
struct distance {
    struct Taken {
        float4 model, pulled;
    };
    const float *model, *pulled;
    bool wide;

    __device__ Taken take(size_t q) const
    {
        return { quads_load(model, q, wide), quads_load(pulled, q, true) };
    }

    __device__ uint32_t give(size_t, Taken t) const
    {
        return magnitude_of_quad(
            make_float4(threelc_distance_lane(t.model.x, t.pulled.x), threelc_distance_lane(t.model.y, t.pulled.y),
                        threelc_distance_lane(t.model.z, t.pulled.z), threelc_distance_lane(t.model.w, t.pulled.w)));
    }

    __device__ uint32_t one(size_t i) const
    {
        return magnitude_lane(__float_as_uint(threelc_distance_lane(model[i], pulled[i])));
    }
};

struct quantising {
    uint8_t *quartic;
    float *state;
    const float *model; /* of a pull */
    size_t n, bytes, chunks;
    float s;
    const uint32_t *most;
    uint32_t *scale; /* where the payload has M */
    /* To be cleared for runs_encode(): a word for each chunk and the ticket; or NULL. */
    unsigned long long *published;
};

enum { TURNS = 4, TILE = QUADS_THREADS * TURNS };

/* The digit of a value; the state is written where it changes, which few values do. */
template <bool PULL> __device__ unsigned quantise_one(float *state, float now, float model, float scale, float half)
{
    float t = PULL ? threelc_distance_lane(model, now) : now, then;
    int q = threelc_quantise_lane(t, half);

    then = PULL ? threelc_add_lane(now, q, scale) : threelc_rest_lane(t, q, scale);
    if (__float_as_uint(then) != __float_as_uint(now))
        *state = then;
    return static_cast<unsigned>(q + 1);
}

/* A thread makes single bytes, so that neighbouring threads have neighbouring values of each of the five parts. */
template <bool PULL> __global__ void __launch_bounds__(QUADS_THREADS) quantise(quantising z)
{
    size_t first = static_cast<size_t>(blockIdx.x) * TILE + threadIdx.x;
    size_t thread = static_cast<size_t>(blockIdx.x) * QUADS_THREADS + threadIdx.x;
    float scale = threelc_scale_lane(__uint_as_float(*z.most), z.s), half = threelc_half_lane(scale);
    float now[TURNS][5], model[TURNS][5];

    if (thread == 0)
        *z.scale = __float_as_uint(scale);
    if (z.published && thread <= z.chunks)
        z.published[thread] = 0;
#pragma unroll
    for (int turn = 0; turn < TURNS; turn++)
#pragma unroll
        for (int part = 0; part < 5; part++) {
            size_t j = first + turn * QUADS_THREADS, i = part * z.bytes + j;
            bool there = j < z.bytes && i < z.n;

            now[turn][part] = there ? z.state[i] : 0;
            model[turn][part] = PULL && there ? z.model[i] : 0;
        }
#pragma unroll
    for (int turn = 0; turn < TURNS; turn++) {
        size_t j = first + turn * QUADS_THREADS;
        unsigned byte = 0;

        if (j >= z.bytes)
            continue;
#pragma unroll
        for (int part = 0; part < 5; part++) {
            size_t i = part * z.bytes + j;

            if (i < z.n)
                byte += threelc_weight_lane(part) *
                        quantise_one<PULL>(z.state + i, now[turn][part], model[turn][part], scale, half);
        }
        z.quartic[j] = static_cast<uint8_t>(byte);
    }
}

__global__ void set_size(uint64_t *nbytes, uint64_t size)
{
    *nbytes = size;
}

template <bool PULL> void launch_quantise(cudaStream_t on, const quantising &z)
{
    NW_LAUNCH(quantise<PULL>, static_cast<unsigned>((z.bytes + TILE - 1) / TILE), QUADS_THREADS, 0, on, z);
}

size_t chunks_of(size_t bytes)
{
    return (bytes + RUNS_CHUNK - 1) / RUNS_CHUNK;
}

void compress_runs(cudaStream_t on, quantising z, uint8_t *payload, uint64_t *nbytes, void *work)
{
    uint8_t *quartic = static_cast<uint8_t *>(work);
    unsigned long long *published = reinterpret_cast<unsigned long long *>(quartic + z.chunks * RUNS_CHUNK);
    runs_encoding e = { payload, quartic, published, published + z.chunks, nbytes, z.bytes, z.chunks };

    z.quartic = quartic;
    z.published = published;
    if (z.model)
        launch_quantise<true>(on, z);
    else
        launch_quantise<false>(on, z);
    NW_LAUNCH(runs_encode, static_cast<unsigned>(z.chunks), RUNS_THREADS, 0, on, e);
}

quantising quantising_of(uint8_t *payload, const uint64_t *nbytes, size_t n, const struct codec_params *p, void *state)
{
    size_t bytes = threelc_bytes_lane(n);

    return { payload + 4,
             static_cast<float *>(state),
             NULL,
             n,
             bytes,
             chunks_of(bytes),
             static_cast<float>(p->value[0]),
             reinterpret_cast<const uint32_t *>(nbytes),
             reinterpret_cast<uint32_t *>(payload),
             NULL };
}

/* M and the padding; bytes above 242 are looked for elsewhere. 'error': what the size of the payload says. */
__global__ void check_quartic(const uint8_t *payload, const uint8_t *quartic, size_t n, size_t bytes, int sizes,
                              int *error)
{
    if (*reinterpret_cast<const uint32_t *>(payload) >= 0x7f800000u)
        *error = CODEC_CONTENT;
    else if (sizes)
        *error = sizes;
    if (*error)
        return;
    for (size_t i = n; i < 5 * bytes; i++)
        if (threelc_digit_lane(quartic[i % bytes], static_cast<int>(i / bytes)))
            *error = CODEC_CONTENT;
}

struct put_value {
    const float *scale;
    bool add;

    __device__ void put(float *value, int digit) const
    {
        *value = add ? threelc_add_lane(*value, digit - 1, *scale) : threelc_store_lane(digit - 1, *scale);
    }
};
} // namespace

void threelc_runs_compress_cuda(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const float *values,
                                size_t n, const struct codec_params *p, void *state, void *work)
{
    cudaStream_t on = stream_of(im);
    accumulate pass = { static_cast<float *>(state), values, quads_wide(values) };

    cudaMemsetAsync(nbytes, 0, sizeof(*nbytes), on);
    if (!n)
        return;
    quads_most(on, pass, n, reinterpret_cast<uint32_t *>(nbytes));
    compress_runs(on, quantising_of(payload, nbytes, n, p, state), payload, nbytes, work);
}

void threelc_pull_compress_cuda(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const float *values,
                                size_t n, const struct codec_params *p, void *state, void *work)
{
    cudaStream_t on = stream_of(im);
    distance pass = { values, static_cast<const float *>(state), quads_wide(values) };
    quantising z = quantising_of(payload, nbytes, n, p, state);

    cudaMemsetAsync(nbytes, 0, sizeof(*nbytes), on);
    if (!n)
        return;
    z.model = values;
    quads_most(on, pass, n, reinterpret_cast<uint32_t *>(nbytes));
    compress_runs(on, z, payload, nbytes, work);
}

void threelc_quartic_compress_cuda(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const float *values,
                                   size_t n, const struct codec_params *p, void *state, void *)
{
    cudaStream_t on = stream_of(im);
    accumulate pass = { static_cast<float *>(state), values, quads_wide(values) };
    quantising z = quantising_of(payload, nbytes, n, p, state);

    cudaMemsetAsync(nbytes, 0, sizeof(*nbytes), on);
    if (!n)
        return;
    quads_most(on, pass, n, reinterpret_cast<uint32_t *>(nbytes));
    launch_quantise<false>(on, z);
    NW_LAUNCH(set_size, 1, 1, 0, on, nbytes, 4 + z.bytes);
}

void threelc_runs_decompress_cuda(const struct impl *im, float *values, size_t n, enum codec_into into,
                                  const uint8_t *payload, size_t nbytes, const struct codec_params *, void *work,
                                  int *error)
{
    cudaStream_t on = stream_of(im);
    size_t bytes = threelc_bytes_lane(n), chunks = chunks_of(bytes);
    uint8_t *quartic = static_cast<uint8_t *>(work);
    runs_decoding d = {
        payload, nbytes, bytes, chunks, reinterpret_cast<unsigned long long *>(quartic + chunks * RUNS_CHUNK),
        quartic, error
    };
    put_value value = { reinterpret_cast<const float *>(payload), into == CODEC_ADD };

    if (!n || nbytes < 4 + 4 * chunks) {
        error_begin(on, error, n ? CODEC_SHORT : nbytes ? CODEC_LONG : CODEC_OK);
        return;
    }
    NW_LAUNCH(runs_check_table, 1, RUNS_THREADS, 0, on, d);
    NW_LAUNCH(runs_expand, static_cast<unsigned>(chunks), RUNS_THREADS, 0, on, d);
    NW_LAUNCH(check_quartic, 1, 1, 0, on, payload, quartic, n, bytes, 0, error);
    fives_run(on, value, values, n, quartic, bytes, error);
}

void threelc_quartic_decompress_cuda(const struct impl *im, float *values, size_t n, enum codec_into into,
                                     const uint8_t *payload, size_t nbytes, const struct codec_params *, void *,
                                     int *error)
{
    cudaStream_t on = stream_of(im);
    size_t bytes = threelc_bytes_lane(n);
    put_value value = { reinterpret_cast<const float *>(payload), into == CODEC_ADD };
    int sizes = codec_size_error(nbytes, 4 + bytes);

    if (!n || nbytes < 4) {
        error_begin(on, error, n ? CODEC_SHORT : nbytes ? CODEC_LONG : CODEC_OK);
        return;
    }
    error_begin(on, error, CODEC_OK);
    NW_LAUNCH(check_quartic, 1, 1, 0, on, payload, payload + 4, n, bytes, sizes, error);
    if (sizes)
        return;
    check_bytes<byte_above_242>(on, payload + 4, bytes, error);
    fives_run(on, value, values, n, payload + 4, bytes, error);
}
