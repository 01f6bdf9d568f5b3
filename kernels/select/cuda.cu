/* cuda.cu - the way of bracket.c without asking the host: a sample says between which two magnitudes the threshold must
 * be; one pass counts what is above and lists what is between; up to three counts in bins find it there. Where the
 * sample was wrong or more is between than the list holds, the same counts go over all of x. Each kernel looks at
 * the state that the one before has left and returns at once if there is nothing to do; the last block of a kernel does
 * what follows from all its blocks. */
#include <math.h>

#include "kernels/select/pick.cuh"
#include "kernels/select/ties.cuh"
#include "kernels/sparse/device.h"

enum {
    PER = 16,
    TILE = THREADS * PER,
    MAX_BLOCKS = 1024, /* of a pass; they fill any device */
    PIECE_MIN = 1 << 14,
    SAMPLES = 8 * SAMPLERS,
    SAMPLED_MIN = 1 << 17, /* values; fewer are counted at once */
    ROUNDS = 3,            /* of 11 bits are more than 31 */
};

/* In work: the state, bins, ties of each piece, and behind LIST what is listed. The scratch of one lane that
 * select_work() has is larger than LIST, and its list takes as many. */
enum { BINS = 256, TIES = BINS + 8 * SELECT_BINS, LIST = 1 << 16 };
static_assert((int)MAX_BLOCKS <= (int)PIECES && TIES + 8 * PIECES <= LIST && sizeof(struct select_state) <= BINS,
              "the parts of work do not overlap");

__global__ static void __launch_bounds__(SAMPLERS) begin(struct select_task_cuda t, bool sampled)
{
    struct select_state s = {};

    s.rank = t.k, s.hi = 0x7fffffff, s.source = SELECT_ALL;
    if (!is_wanted(t))
        return;
    if (sampled) {
        unsigned long long first = t.first, last = t.last;

        for (unsigned j = threadIdx.x; j < SAMPLES; j += SAMPLERS)
            t.list[j] = magnitude_at(t, select_sample_index(j, t.n, SAMPLES));
        __syncthreads();
        if (first)
            s.hi = kth_in_block(t.list, SAMPLES, &first);
        if (last)
            s.lo = kth_in_block(t.list, SAMPLES, &last);
    }
    for (unsigned b = threadIdx.x; b < SELECT_BINS; b += SAMPLERS)
        t.bins[b] = 0;
    if (threadIdx.x == 0)
        *t.state = s;
}

/* By the last block: is the threshold in the bracket, and all of it listed? */
__device__ static void settle(const struct select_task_cuda &t)
{
    struct select_state s = *t.state;
    unsigned long long upto_hi = s.above + s.at_hi, upto_inside = upto_hi + s.inside;

    if (t.k <= s.above || t.k > upto_inside + s.at_lo || (t.k > upto_hi && t.k <= upto_inside && s.inside > t.most)) {
        s.lo = 0, s.hi = 0x7fffffff; /* all of x, from the start */
    } else if (t.k <= upto_hi) {
        s.source = SELECT_SETTLED;
        s.rank = t.k - s.above, s.equal = s.at_hi, s.lo = s.hi;
    } else if (t.k <= upto_inside) {
        s.source = SELECT_INSIDE;
        s.rank = t.k - upto_hi, s.lo++, s.hi--;
    } else {
        s.source = SELECT_SETTLED;
        s.rank = t.k - upto_inside, s.equal = s.at_lo, s.hi = s.lo;
    }
    *t.state = s;
}

__global__ static void __launch_bounds__(THREADS) sift(struct select_task_cuda t)
{
    __shared__ uint32_t staged[TILE];
    __shared__ unsigned found;
    __shared__ unsigned long long place;
    if (!is_wanted(t))
        return;

    uint32_t lo = t.state->lo, hi = t.state->hi, magnitude[PER];
    unsigned above = 0, at_hi = 0, at_lo = 0, before = (1u << threadIdx.x % 32) - 1;

    for (uint64_t from = (uint64_t)blockIdx.x * TILE; from < t.n; from += (uint64_t)gridDim.x * TILE) {
        unsigned count = 0, at = 0;

        if (threadIdx.x == 0)
            found = 0;
#pragma unroll
        for (int i = 0; i < PER; i++) {
            uint64_t index = from + i * THREADS + threadIdx.x;

            magnitude[i] = index < t.n ? magnitude_at(t, index) : SPARSE_NOTHING;
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < PER; i++) {
            bool real = magnitude[i] != SPARSE_NOTHING;

            above += real && magnitude[i] > hi;
            at_hi += magnitude[i] == hi;
            at_lo += magnitude[i] == lo && lo != hi;
            count += __popc(__ballot_sync(EVERY_LANE, magnitude[i] > lo && magnitude[i] < hi));
        }
        if (threadIdx.x % 32 == 0)
            at = atomicAdd(&found, count);
        at = __shfl_sync(EVERY_LANE, at, 0);
#pragma unroll
        for (int i = 0; i < PER; i++) {
            bool inside = magnitude[i] > lo && magnitude[i] < hi;
            unsigned vote = __ballot_sync(EVERY_LANE, inside);

            if (inside)
                staged[at + __popc(vote & before)] = magnitude[i];
            at += __popc(vote);
        }
        __syncthreads();
        if (threadIdx.x == 0)
            place = atomicAdd(&t.state->inside, (unsigned long long)found);
        __syncthreads();
        /* In any order: only their magnitudes count. */
        for (unsigned i = threadIdx.x; i < found && place + i < t.most; i += THREADS)
            t.list[place + i] = staged[i];
        __syncthreads();
    }
    add_up(&t.state->above, above);
    add_up(&t.state->at_hi, at_hi);
    add_up(&t.state->at_lo, at_lo);
    if (last_block(&t.state->done) && threadIdx.x == 0)
        settle(t);
}

/* By the last block: the bin in which the threshold is, and empty bins for the next round. */
__device__ static void narrow(const struct select_task_cuda &t, int shift)
{
    __shared__ unsigned long long sums[32];
    __shared__ struct select_bin found;
    uint32_t hi = t.state->hi;

    pick_bin(&found, sums, t.bins, t.state->rank, THREADS);
    for (unsigned b = threadIdx.x; b < SELECT_BINS; b += THREADS)
        t.bins[b] = 0;
    if (threadIdx.x == 0) {
        uint32_t lo = t.state->lo + (found.bin << shift), most = lo + ((1u << shift) - 1);

        t.state->lo = lo;
        t.state->hi = most < hi ? most : hi;
        t.state->rank = found.rank;
        t.state->equal = found.count;
        if (shift == 0)
            t.state->source = SELECT_SETTLED;
    }
}

__global__ static void __launch_bounds__(THREADS) count_in_bins(struct select_task_cuda t)
{
    __shared__ unsigned bins[SELECT_BINS];
    uint32_t source = t.state->source, lo = t.state->lo, hi = t.state->hi;
    uint64_t n = source == SELECT_ALL ? t.n : t.state->inside;
    int shift = select_shift(lo, hi, SELECT_BINS);

    if (source == SELECT_SETTLED || !is_wanted(t))
        return;
    for (unsigned b = threadIdx.x; b < SELECT_BINS; b += THREADS)
        bins[b] = 0;
    __syncthreads();
    for (uint64_t i = (uint64_t)blockIdx.x * THREADS + threadIdx.x; i < n; i += (uint64_t)gridDim.x * THREADS) {
        uint32_t magnitude = source == SELECT_ALL ? magnitude_at(t, i) : t.list[i];

        if (magnitude >= lo && magnitude <= hi)
            atomicAdd(&bins[(magnitude - lo) >> shift], 1u);
    }
    __syncthreads();
    for (unsigned b = threadIdx.x; b < SELECT_BINS; b += THREADS)
        if (bins[b])
            atomicAdd(&t.bins[b], (unsigned long long)bins[b]);
    if (last_block(&t.state->done))
        narrow(t, shift);
}

static unsigned blocks_for(size_t n, size_t each)
{
    size_t blocks = n / each + 1;

    return blocks < MAX_BLOCKS ? (unsigned)blocks : (unsigned)MAX_BLOCKS;
}

void select_kth_if_cuda(void *stream, const uint32_t *wanted, struct select_result *r, const float *x, size_t n,
                        size_t k, void *work)
{
    cudaStream_t on = static_cast<cudaStream_t>(stream);
    uint8_t *at = static_cast<uint8_t *>(work);
    struct select_task_cuda t = {};
    bool sampled = n >= SAMPLED_MIN;
    double share = n ? (double)k / (double)n : 0, middle = share * SAMPLES, aside = 4 * sqrt(middle * (1 - share)) + 8;

    t.wanted = wanted, t.x = x, t.n = n, t.k = k, t.most = n / 16;
    t.state = reinterpret_cast<struct select_state *>(at);
    t.bins = reinterpret_cast<unsigned long long *>(at + BINS);
    t.ties = reinterpret_cast<unsigned long long *>(at + TIES);
    t.list = reinterpret_cast<uint32_t *>(at + LIST);
    t.first = middle > aside ? (uint64_t)(middle - aside) : 0;
    t.last = middle + aside <= SAMPLES ? (uint64_t)(middle + aside) : 0;
    t.pieces = blocks_for(n, PIECE_MIN);
    if (k) {
        NW_LAUNCH(begin, 1, SAMPLERS, 0, on, t, sampled);
        if (sampled)
            NW_LAUNCH(sift, blocks_for(n, TILE), THREADS, 0, on, t);
        for (int i = 0; i < ROUNDS; i++)
            NW_LAUNCH(count_in_bins, blocks_for(n, TILE), THREADS, 0, on, t);
        NW_LAUNCH(count_ties, t.pieces, THREADS, 0, on, t);
    }
    NW_LAUNCH(conclude, 1, SAMPLERS, 0, on, t, r);
}

void select_kth_cuda(const struct impl *im, struct select_result *r, const float *x, size_t n, size_t k, void *work)
{
    select_kth_if_cuda(stream_of(im), NULL, r, x, n, k, work);
}

void select_top_cuda(const struct impl *im, struct select_result *r, uint64_t *bitmap, float *values, const float *x,
                     size_t n, size_t k, void *work)
{
    select_kth_cuda(im, r, x, n, k, work);
    sparse_mask_cuda(stream_of(im), bitmap, values, x, n, &r->keep, work);
}
