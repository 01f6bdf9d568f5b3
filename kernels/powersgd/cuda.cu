/* cuda.cu - the rounds of one worker's step: a warp for each row of P, one warp that makes P orthogonal, a thread for
 * each column of Q and for each value that arrives. A leaf: kernels and their launchers, on the default stream. */
#include "kernels/powersgd/powersgd.h"

#include "kernels/powersgd/powersgd_lane.h"
#include "kernels/shared/receive.cuh"

namespace
{
enum { WARPS = QUADS_THREADS / POWERSGD_LANES, TOGETHER = 4 };

struct matrix {
    powersgd_shape s;
    float *kept, *own; /* of the state: M, and Q of the step before */
    float *p, *q;      /* of the payload */
    uint64_t *steps;
};

__device__ size_t thread_of_all()
{
    return static_cast<size_t>(blockIdx.x) * QUADS_THREADS + threadIdx.x;
}

__device__ float product(powersgd_shape s, const float *p, const float *q, size_t i)
{
    float sum = 0;

    for (size_t k = 0; k < s.rank; k++)
        sum += p[k * s.rows + i / s.columns] * q[k * s.columns + i % s.columns];
    return powersgd_finite(sum);
}

__global__ void __launch_bounds__(QUADS_THREADS) keep(matrix m, const float *values)
{
    size_t i = thread_of_all();

    if (i < m.s.n)
        m.kept[i] = powersgd_finite(sum_lane(m.kept[i], values[i]));
}

/* A block for each vector of Q. */
__global__ void __launch_bounds__(QUADS_THREADS) draw_where_zero(matrix m, uint64_t seed)
{
    struct threefry_key key = drawn_key(seed, *m.steps);
    float *q = m.own + blockIdx.x * m.s.columns;
    int some = 0;

    for (size_t j = threadIdx.x; j < m.s.columns; j += QUADS_THREADS)
        some |= q[j] != 0;
    if (__syncthreads_or(some))
        return;
    for (size_t j = threadIdx.x; j < m.s.columns; j += QUADS_THREADS) {
        float four[4];

        powersgd_draw(four, &key, blockIdx.x, j / 4);
        q[j] = four[j % 4];
    }
}

/* Lane l has the lanes' sum number l of powersgd.h. */
template <class T> __device__ T fold(T mine)
{
    for (int half = POWERSGD_LANES / 2; half; half /= 2)
        mine += __shfl_xor_sync(0xffffffffu, mine, half);
    return mine;
}

__global__ void __launch_bounds__(QUADS_THREADS) times_q(matrix m)
{
    size_t row = static_cast<size_t>(blockIdx.x) * WARPS + threadIdx.x / POWERSGD_LANES;
    unsigned lane = threadIdx.x % POWERSGD_LANES;

    if (row >= m.s.rows)
        return;
    const float *values = m.kept + row * m.s.columns;
    size_t length = powersgd_length(m.s, row);

    for (size_t first = 0; first < m.s.rank; first += TOGETHER) {
        float sum[TOGETHER] = { 0 };

        for (size_t j = lane; j < length; j += POWERSGD_LANES)
#pragma unroll
            for (int k = 0; k < TOGETHER; k++)
                if (first + k < m.s.rank)
                    sum[k] += values[j] * m.own[(first + k) * m.s.columns + j];
#pragma unroll
        for (int k = 0; k < TOGETHER; k++) {
            float whole = fold(sum[k]);

            if (lane == 0 && first + k < m.s.rank)
                m.p[(first + k) * m.s.rows + row] = powersgd_finite(whole);
        }
    }
}

__device__ double dot(const float *a, const float *b, size_t n)
{
    double sum = 0;

    for (size_t i = threadIdx.x; i < n; i += POWERSGD_LANES)
        sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    return fold(sum);
}

/* One warp; a thread reads only what it wrote. */
__global__ void __launch_bounds__(POWERSGD_LANES) orthogonalise(matrix m)
{
    size_t n = m.s.rows;

    for (size_t k = 0; k < m.s.rank; k++) {
        float *x = m.p + k * n;
        double before = dot(x, x, n);

        for (size_t other = 0; other < k; other++) {
            const float *y = m.p + other * n;
            double share = dot(y, x, n);

            for (size_t i = threadIdx.x; i < n; i += POWERSGD_LANES)
                x[i] = powersgd_less(x[i], share, y[i]);
        }
        double factor = powersgd_factor(before, dot(x, x, n));

        for (size_t i = threadIdx.x; i < n; i += POWERSGD_LANES)
            x[i] = powersgd_scaled(x[i], factor);
    }
}

__global__ void __launch_bounds__(QUADS_THREADS) times_p(matrix m)
{
    size_t j = thread_of_all(), last = powersgd_length(m.s, m.s.rows - 1);

    if (j >= m.s.columns)
        return;
    size_t rows = m.s.rows - (j >= last);

    for (size_t first = 0; first < m.s.rank; first += TOGETHER) {
        float sum[TOGETHER] = { 0 };

        for (size_t row = 0; row < rows; row++)
#pragma unroll
            for (int k = 0; k < TOGETHER; k++)
                if (first + k < m.s.rank)
                    sum[k] += m.p[(first + k) * m.s.rows + row] * m.kept[row * m.s.columns + j];
#pragma unroll
        for (int k = 0; k < TOGETHER; k++)
            if (first + k < m.s.rank)
                m.q[(first + k) * m.s.columns + j] = m.own[(first + k) * m.s.columns + j] = powersgd_finite(sum[k]);
    }
}

__global__ void __launch_bounds__(QUADS_THREADS) take(matrix m)
{
    size_t i = thread_of_all();

    if (i < m.s.n)
        m.kept[i] += -product(m.s, m.p, m.q, i);
}

__global__ void finish(uint64_t *nbytes, uint64_t size, uint64_t *steps)
{
    *nbytes = size;
    if (steps)
        ++*steps;
}

__global__ void __launch_bounds__(QUADS_THREADS) send_plain(uint32_t *payload, size_t n, const uint32_t *values)
{
    size_t i = thread_of_all();

    if (i < n)
        payload[i] = values[i];
}

__global__ void __launch_bounds__(QUADS_THREADS) arrive(receiver to, powersgd_shape s, const float *p, const float *q)
{
    size_t i = thread_of_all();

    if (!to.idle() && i < s.n)
        to.put_one(i, product(s, p, q, i));
}

/* As they are: an addition alone makes one NaN of all. */
__global__ void __launch_bounds__(QUADS_THREADS) arrive_plain(receiver to, size_t n, const float *sent)
{
    size_t i = thread_of_all();

    if (!to.idle() && i < n)
        to.put_one(i, sent[i]);
}

unsigned blocks(size_t n, size_t each)
{
    return static_cast<unsigned>((n + each - 1) / each);
}
} // namespace

void powersgd_compress_cuda(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,
                            const struct codec_params *p, void *state, void *)
{
    cudaStream_t on = stream_of(im);
    powersgd_shape s = powersgd_shape_of(n, p->value[0], p->value[1]);
    float *own = static_cast<float *>(state), *sent = reinterpret_cast<float *>(payload);
    matrix m = {
        s,    own + powersgd_kept(s), own,
        sent, sent + s.rank * s.rows, reinterpret_cast<uint64_t *>(static_cast<uint8_t *>(state) + powersgd_counter(s))
    };

    if (s.plain) {
        if (n)
            NW_LAUNCH(send_plain, blocks(n, QUADS_THREADS), QUADS_THREADS, 0, on, reinterpret_cast<uint32_t *>(payload),
                      n, reinterpret_cast<const uint32_t *>(values));
        NW_LAUNCH(finish, 1, 1, 0, on, nbytes, powersgd_bytes(s), static_cast<uint64_t *>(NULL));
        return;
    }
    NW_LAUNCH(keep, blocks(n, QUADS_THREADS), QUADS_THREADS, 0, on, m, values);
    NW_LAUNCH(draw_where_zero, static_cast<unsigned>(s.rank), QUADS_THREADS, 0, on, m,
              static_cast<uint64_t>(p->value[2]));
    NW_LAUNCH(times_q, blocks(s.rows, WARPS), QUADS_THREADS, 0, on, m);
    NW_LAUNCH(orthogonalise, 1, POWERSGD_LANES, 0, on, m);
    NW_LAUNCH(times_p, blocks(s.columns, QUADS_THREADS), QUADS_THREADS, 0, on, m);
    NW_LAUNCH(take, blocks(n, QUADS_THREADS), QUADS_THREADS, 0, on, m);
    NW_LAUNCH(finish, 1, 1, 0, on, nbytes, powersgd_bytes(s), m.steps);
}

void powersgd_decompress_cuda(const struct impl *im, float *values, size_t n, enum codec_into into,
                              const uint8_t *payload, size_t nbytes, const struct codec_params *p, void *, int *error)
{
    cudaStream_t on = stream_of(im);
    powersgd_shape s = powersgd_shape_of(n, p->value[0], p->value[1]);
    const float *sent = reinterpret_cast<const float *>(payload);
    receiver to = receiver_of(values, into == CODEC_ADD, error);

    error_begin(on, error, codec_size_error(nbytes, powersgd_bytes(s)));
    if (nbytes != powersgd_bytes(s) || !n)
        return;
    if (s.plain)
        NW_LAUNCH(arrive_plain, blocks(n, QUADS_THREADS), QUADS_THREADS, 0, on, to, n, sent);
    else
        NW_LAUNCH(arrive, blocks(n, QUADS_THREADS), QUADS_THREADS, 0, on, to, s, sent, sent + s.rank * s.rows);
}
