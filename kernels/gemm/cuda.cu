/* cuda.cu - a block of threads works on 128 by 128 elements of C, a thread on 8 by 8 of them, each one chain over
 * ascending k in a register. 8 steps of both operands at a time lie in shared memory, rounded when they are put there;
 * while a block works on them, the next ones are on their way into registers. Tensor cores do not keep to the order of
 * the chain and are not used. */
#include "kernels/gemm/device.h"
#include "kernels/gemm/fma_lane.h"
#include "kernels/shared/launch.cuh"

enum {
    THREADS = 256,
    SIDE = 128, /* of a tile */
    STEPS = 8,  /* of k at a time, even */
    PER = 8,    /* rows, and columns, of a thread: 4 from its place on, and 4 half a side later */
    SHARE = SIDE * STEPS / THREADS,
    PITCH = SIDE + 4, /* floats from one step to the next: keeps vectors aligned, and spreads over the banks */
};

/* What a thread brings of one operand: SHARE elements of each STEPS steps, the i-th being vector v + i * dv at step
 * s + i * ds. Neighbouring threads bring neighbours in memory. */
struct gemm_share {
    const float *from; /* where the first one lies */
    size_t jump;       /* from one to the next */
    size_t along;      /* from one step to the next */
    unsigned v, dv, s, ds;
    unsigned vectors; /* of the matrix in this tile; at most a side matter */
};

__device__ static struct gemm_share share_of(const float *matrix, size_t across, size_t along, size_t vectors)
{
    struct gemm_share o;

    if (along == 1) {
        o.v = threadIdx.x / STEPS, o.dv = THREADS / STEPS, o.s = threadIdx.x % STEPS, o.ds = 0;
        o.jump = o.dv * across;
    } else {
        o.v = threadIdx.x % SIDE, o.dv = 0, o.s = threadIdx.x / SIDE, o.ds = THREADS / SIDE;
        o.jump = o.ds * along;
    }
    o.from = matrix + o.v * across + o.s * along;
    o.along = along;
    o.vectors = vectors < SIDE ? (unsigned)vectors : (unsigned)SIDE;
    return o;
}

/* What the matrix lacks is +0: no result depends on it, but for BF16DOT's second half of a pair, which is so
 * defined. */
__device__ static void fetch(float *share, struct gemm_share *o, size_t left)
{
    unsigned steps = left < STEPS ? (unsigned)left : (unsigned)STEPS;

#pragma unroll
    for (unsigned i = 0; i < SHARE; i++)
        share[i] = o->v + i * o->dv < o->vectors && o->s + i * o->ds < steps ? o->from[i * o->jump] : 0.0f;
    o->from += STEPS * o->along;
}

template <fma_mode MODE>
__device__ static void put(float (*panel)[PITCH], const struct gemm_share &o, const float *share)
{
#pragma unroll
    for (unsigned i = 0; i < SHARE; i++)
        panel[o.s + i * o.ds][o.v + i * o.dv] = fma_input(MODE, share[i]);
}

/* A thread's 8 values of a step. */
__device__ static void get(float *to, const float *step, unsigned place)
{
    float4 low = *reinterpret_cast<const float4 *>(step + 4 * place);
    float4 high = *reinterpret_cast<const float4 *>(step + SIDE / 2 + 4 * place);

    to[0] = low.x, to[1] = low.y, to[2] = low.z, to[3] = low.w;
    to[4] = high.x, to[5] = high.y, to[6] = high.z, to[7] = high.w;
}

struct gemm_panels {
    float a[STEPS][PITCH], b[STEPS][PITCH];
};

/* A link of each of the 64 chains; of two steps where the mode takes pairs. */
template <fma_mode MODE> __device__ static void go_on(float (*acc)[PER], const struct gemm_panels &p, unsigned s)
{
    float a[PER], b[PER];

    get(a, p.a[s], threadIdx.x / 16);
    get(b, p.b[s], threadIdx.x % 16);
    if (MODE == FMA_BF16DOT) {
        float a1[PER], b1[PER];

        get(a1, p.a[s + 1], threadIdx.x / 16);
        get(b1, p.b[s + 1], threadIdx.x % 16);
#pragma unroll
        for (int i = 0; i < PER; i++)
#pragma unroll
            for (int j = 0; j < PER; j++)
                acc[i][j] = fma_pair(a1[i], b1[j], a[i], b[j], acc[i][j]);
    } else {
#pragma unroll
        for (int i = 0; i < PER; i++)
#pragma unroll
            for (int j = 0; j < PER; j++)
                acc[i][j] = fma_step(MODE, a[i], b[j], acc[i][j]);
    }
}

/* Row or column of a thread's i-th one within the tile. */
__device__ static unsigned place_of(unsigned thread, unsigned i)
{
    return i / 4 * (SIDE / 2) + 4 * thread + i % 4;
}

template <fma_mode MODE>
__device__ static void start(float (*acc)[PER], const struct gemm_problem &p, size_t row, size_t column)
{
#pragma unroll
    for (int i = 0; i < PER; i++)
#pragma unroll
        for (int j = 0; j < PER; j++) {
            size_t r = row + place_of(threadIdx.x / 16, i), c = column + place_of(threadIdx.x % 16, j);

            acc[i][j] = fma_start(MODE, p.accumulate && r < p.m && c < p.n ? p.c[r * p.ldc + c] : 0.0f);
        }
}

__device__ static void end(float (*acc)[PER], const struct gemm_problem &p, size_t row, size_t column)
{
#pragma unroll
    for (int i = 0; i < PER; i++)
#pragma unroll
        for (int j = 0; j < PER; j++) {
            size_t r = row + place_of(threadIdx.x / 16, i), c = column + place_of(threadIdx.x % 16, j);

            if (r < p.m && c < p.n)
                p.c[r * p.ldc + c] = fma_result(acc[i][j]);
        }
}

template <fma_mode MODE> __global__ static void __launch_bounds__(THREADS, 2) tile(struct gemm_problem p)
{
    __shared__ __align__(16) struct gemm_panels panels[2];
    size_t columns = (p.n + SIDE - 1) / SIDE, row = blockIdx.x / columns * SIDE, column = blockIdx.x % columns * SIDE;
    size_t across_a = p.a_transposed ? 1 : p.lda, across_b = p.b_transposed ? p.ldb : 1;
    struct gemm_share a = share_of(p.a + row * across_a, across_a, p.a_transposed ? p.lda : 1, p.m - row);
    struct gemm_share b = share_of(p.b + column * across_b, across_b, p.b_transposed ? 1 : p.ldb, p.n - column);
    float acc[PER][PER], next_a[SHARE], next_b[SHARE];
    unsigned turn = 0;

    start<MODE>(acc, p, row, column);
    fetch(next_a, &a, p.k);
    fetch(next_b, &b, p.k);
    for (size_t left = p.k, after; left; left = after, turn ^= 1) {
        after = left < STEPS ? 0 : left - STEPS;
        /* Who still reads the other pair of panels has passed the barrier of the turn before. */
        put<MODE>(panels[turn].a, a, next_a);
        put<MODE>(panels[turn].b, b, next_b);
        __syncthreads();
        fetch(next_a, &a, after);
        fetch(next_b, &b, after);
        if (left >= STEPS) {
#pragma unroll
            for (unsigned s = 0; s < STEPS; s += MODE == FMA_BF16DOT ? 2 : 1)
                go_on<MODE>(acc, panels[turn], s);
        } else {
            for (unsigned s = 0; s < left; s += MODE == FMA_BF16DOT ? 2 : 1)
                go_on<MODE>(acc, panels[turn], s);
        }
    }
    end(acc, p, row, column);
}

size_t gemm_cuda_work(const struct impl *, const struct gemm_problem *p)
{
    (void)p;
    return 0;
}

void gemm_cuda_on(const struct gemm_problem *p, void *stream)
{
    size_t tiles = (p->m + SIDE - 1) / SIDE * ((p->n + SIDE - 1) / SIDE);
    cudaStream_t on = (cudaStream_t)stream;

    if (!tiles)
        return;
    if (p->mode == FMA_FP32)
        NW_LAUNCH(tile<FMA_FP32>, (unsigned)tiles, THREADS, 0, on, *p);
    else if (p->mode == FMA_MP)
        NW_LAUNCH(tile<FMA_MP>, (unsigned)tiles, THREADS, 0, on, *p);
    else if (p->mode == FMA_BF16)
        NW_LAUNCH(tile<FMA_BF16>, (unsigned)tiles, THREADS, 0, on, *p);
    else
        NW_LAUNCH(tile<FMA_BF16DOT>, (unsigned)tiles, THREADS, 0, on, *p);
}

void gemm_cuda(const struct impl *im, const struct gemm_problem *p, void *work)
{
    (void)work;
    gemm_cuda_on(p, stream_of(im));
}
