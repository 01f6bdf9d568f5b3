/* ties.cuh - the index of the last value that is chosen among those equal to the threshold, and the result. */
#ifndef NARROWS_KERNELS_SELECT_TIES_CUH
#define NARROWS_KERNELS_SELECT_TIES_CUH

#include "kernels/select/pick.cuh"

enum { PIECES = 1024 /* at most, of x, in which ties are counted */ };

__device__ static uint64_t piece_start(const struct select_task_cuda &t, uint64_t piece)
{
    uint64_t size = (t.n + t.pieces - 1) / t.pieces, start = piece * size;

    return start < t.n ? start : t.n;
}

/* If only some of the equals are chosen: in which piece of x is the last one? */
__global__ static void __launch_bounds__(THREADS) count_ties(struct select_task_cuda t)
{
    __shared__ unsigned long long sum, sums[32];
    uint32_t threshold = t.state->lo;
    unsigned long long rank = t.state->rank, before = 0, share = 0;
    unsigned mine = 0;

    if (rank == t.state->equal || !is_wanted(t))
        return;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    for (uint64_t i = piece_start(t, blockIdx.x) + threadIdx.x; i < piece_start(t, blockIdx.x + 1); i += THREADS)
        mine += magnitude_at(t, i) == threshold;
    add_up(&sum, mine);
    __syncthreads();
    if (threadIdx.x == 0)
        t.ties[blockIdx.x] = sum;
    if (!last_block(&t.state->done))
        return;
    for (unsigned i = 0; i < PIECES / THREADS; i++) {
        unsigned piece = threadIdx.x * (PIECES / THREADS) + i;

        share += piece < t.pieces ? __ldcg(&t.ties[piece]) : 0;
    }
    before = sum_before(share, sums, THREADS);
    if (before < rank && rank <= before + share) {
        unsigned piece = threadIdx.x * (PIECES / THREADS);

        for (; before + __ldcg(&t.ties[piece]) < rank; piece++)
            before += __ldcg(&t.ties[piece]);
        t.state->piece = piece;
        t.state->left = rank - before;
    }
}

/* And where in the piece? Then the result. */
__global__ static void __launch_bounds__(SAMPLERS) conclude(struct select_task_cuda t, struct select_result *r)
{
    __shared__ unsigned long long sums[32];
    struct select_state s = *t.state;

    if (!is_wanted(t))
        return;
    if (threadIdx.x == 0) {
        r->keep.threshold = t.k ? s.lo : SPARSE_NOTHING;
        r->keep.tie_end = t.k ? t.n : 0;
        r->above = t.k ? t.k - s.rank : 0;
    }
    if (!t.k || s.rank == s.equal)
        return;
    __syncthreads();
    for (uint64_t from = piece_start(t, s.piece); s.left; from += SAMPLERS) {
        uint64_t i = from + threadIdx.x;
        bool tie = i < t.n && magnitude_at(t, i) == s.lo;
        unsigned long long before = sum_before(tie, sums, SAMPLERS);
        unsigned all = (unsigned)__syncthreads_count(tie);

        if (tie && before + 1 == s.left)
            r->keep.tie_end = i + 1;
        s.left = all < s.left ? s.left - all : 0;
    }
}

#endif
