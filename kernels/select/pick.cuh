/* pick.cuh - what the blocks of a selection have in common: where it stands, and how one of its bins is picked. */
#ifndef NARROWS_KERNELS_SELECT_PICK_CUH
#define NARROWS_KERNELS_SELECT_PICK_CUH

#include "kernels/select/device.h"
#include "kernels/select/select_lane.h"
#include "kernels/shared/launch.cuh"

#define EVERY_LANE 0xffffffffu

enum select_source { SELECT_SETTLED, SELECT_INSIDE, SELECT_ALL };

/* At the start of work. */
struct select_state {
    unsigned long long above, at_hi, at_lo, inside; /* what the pass saw; as select_counts of host.h */
    unsigned long long rank, equal; /* of the threshold among the values still looked at; how many equal it */
    uint32_t lo, hi;                /* it lies there */
    uint32_t source;                /* of the values still looked at */
    unsigned done;                  /* blocks, of the kernel that runs */
    unsigned long long piece, left; /* where the last tie that is kept lies, and which one it is there */
};

enum { THREADS = 256, SAMPLERS = 1024 /* threads of the blocks that run alone */ };

struct select_task_cuda {
    const float *x;
    uint64_t n, k, most;
    struct select_state *state;
    unsigned long long *bins, *ties;
    uint32_t *list;
    unsigned pieces;
    const uint32_t *wanted; /* NULL, or where 0 says that nothing is to be done */
    uint64_t first, last;   /* ranks in the sample; 0: no bound above or below */
};

__device__ static inline bool is_wanted(const struct select_task_cuda &t)
{
    return !t.wanted || *t.wanted;
}

__device__ static inline uint32_t magnitude_at(const struct select_task_cuda &t, uint64_t i)
{
    return sparse_magnitude(sparse_word(t.x[i]));
}

/* Adds up over the block, then over the grid. */
__device__ static inline void add_up(unsigned long long *to, unsigned mine)
{
    for (int half = 16; half; half /= 2)
        mine += __shfl_xor_sync(EVERY_LANE, mine, half);
    if (threadIdx.x % 32 == 0 && mine)
        atomicAdd(to, (unsigned long long)mine);
}

/* Sum of what the threads before this one have, in a block of 'threads'; 'sums' is shared and has 32 words. */
__device__ static inline unsigned long long sum_before(unsigned long long mine, unsigned long long *sums,
                                                       unsigned threads)
{
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned long long upto = mine, before = 0;

    for (unsigned by = 1; by < 32; by *= 2) {
        unsigned long long other = __shfl_up_sync(EVERY_LANE, upto, by);

        upto += lane >= by ? other : 0;
    }
    if (lane == 31)
        sums[warp] = upto;
    __syncthreads();
    for (unsigned w = 0; w < threads / 32 && w < warp; w++)
        before += sums[w];
    __syncthreads();
    return before + upto - mine;
}

/* The bin of the value of that rank, counted from the uppermost bin; 'rank' then counts within the bin. For all threads
 * of a block; 'found' and 'sums' are shared. */
struct select_bin {
    unsigned long long rank, count;
    unsigned bin;
};

template <class T>
__device__ static inline void pick_bin(struct select_bin *found, unsigned long long *sums, const T *bins,
                                       unsigned long long rank, unsigned threads)
{
    unsigned share = SELECT_BINS / threads, from = SELECT_BINS - threadIdx.x * share;
    unsigned long long sum = 0, before;

    for (unsigned i = 1; i <= share; i++)
        sum += bins[from - i];
    before = sum_before(sum, sums, threads);
    if (before < rank && rank <= before + sum) {
        unsigned i = 1;

        for (; before + bins[from - i] < rank; i++)
            before += bins[from - i];
        found->bin = from - i;
        found->rank = rank - before;
        found->count = bins[from - i];
    }
    __syncthreads();
}

/* The rank-th largest of so many words' magnitudes, for a block of SAMPLERS; *rank then counts among its equals. */
__device__ static inline uint32_t kth_in_block(const uint32_t *words, uint64_t n, unsigned long long *rank)
{
    __shared__ unsigned bins[SELECT_BINS];
    __shared__ unsigned long long sums[32];
    __shared__ struct select_bin found;
    uint32_t lo = 0, hi = 0x7fffffff;

    for (int shift; lo < hi; hi = lo + ((1u << shift) - 1)) {
        shift = select_shift(lo, hi, SELECT_BINS);
        for (unsigned b = threadIdx.x; b < SELECT_BINS; b += SAMPLERS)
            bins[b] = 0;
        __syncthreads();
        for (uint64_t i = threadIdx.x; i < n; i += SAMPLERS) {
            uint32_t magnitude = sparse_magnitude(words[i]);

            if (magnitude >= lo && magnitude <= hi)
                atomicAdd(&bins[(magnitude - lo) >> shift], 1u);
        }
        __syncthreads();
        pick_bin(&found, sums, bins, *rank, SAMPLERS);
        *rank = found.rank;
        lo += found.bin << shift;
        __syncthreads();
    }
    return lo;
}

/* Is this the last block of the grid to come here? For all threads of a block. What the others wrote before is seen. */
__device__ static inline bool last_block(unsigned *done)
{
    __shared__ bool last;

    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicAdd(done, 1u) == gridDim.x - 1;
    __syncthreads();
    if (last && threadIdx.x == 0)
        *done = 0;
    __threadfence();
    return last;
}

#endif
