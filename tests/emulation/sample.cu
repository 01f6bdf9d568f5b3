/* sample.cu - see sample.h. */
#include "tests/emulation/sample.h"

#include "kernels/shared/launch.cuh"

__global__ static void indices(uint32_t *to)
{
    uint32_t block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    uint32_t thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);

    to[block * blockDim.x * blockDim.y * blockDim.z + thread] += block * 60 + thread;
}

void sample_indices(uint32_t *to)
{
    NW_LAUNCH(indices, dim3(3, 2, 2), dim3(5, 4, 3), 0, 0, to);
}

template <bool COMPLETE> __global__ static void sum(uint32_t *to, const uint32_t *from)
{
    __shared__ uint32_t part[SAMPLE_THREADS];
    unsigned t = threadIdx.x, count = SAMPLE_THREADS;

    part[t] = from[blockIdx.x * SAMPLE_THREADS + t];
    __syncthreads();
    while (count % 2 == 0) {
        count /= 2;
        if (t < count)
            part[t] += part[t + count];
        if (COMPLETE)
            __syncthreads();
    }
    if (t == 0)
        to[blockIdx.x] = part[0] + part[1] + part[2];
}

void sample_sum(uint32_t *to, const uint32_t *from, unsigned blocks, int without)
{
    if (without)
        NW_LAUNCH(sum<false>, blocks, SAMPLE_THREADS, 0, 0, to, from);
    else
        NW_LAUNCH(sum<true>, blocks, SAMPLE_THREADS, 0, 0, to, from);
}

template <class T, unsigned PARTS> __global__ static void sum_dynamic(T *to, const uint32_t *from)
{
    NW_SHARED(uint64_t, part);

    part[threadIdx.x] = from[blockIdx.x * SAMPLE_THREADS + threadIdx.x];
    __syncthreads();
    if (threadIdx.x < PARTS) {
        T total = 0;

        for (unsigned i = threadIdx.x; i < SAMPLE_THREADS; i += PARTS)
            total += part[i];
        atomicAdd(&to[blockIdx.x], total);
    }
}

void sample_sum_dynamic(uint64_t *to, const uint32_t *from, unsigned blocks)
{
    unsigned long long *sums = (unsigned long long *)to;

    NW_LAUNCH((sum_dynamic<unsigned long long, 1>), blocks, SAMPLE_THREADS, SAMPLE_THREADS * 8, 0, sums, from);
    NW_LAUNCH((sum_dynamic<unsigned long long, 7>), blocks, SAMPLE_THREADS, SAMPLE_THREADS * 8, 0, sums, from);
}

template <bool COMPLETE> __global__ static void turn(uint32_t *to, const uint32_t *from)
{
    __shared__ uint32_t value[32];

    value[threadIdx.x] = from[threadIdx.x];
    if (COMPLETE)
        __syncwarp();
    to[threadIdx.x] = value[(threadIdx.x + 1) % 32];
}

void sample_turn(uint32_t *to, const uint32_t *from, int without)
{
    if (without)
        NW_LAUNCH(turn<false>, 1, 32, 0, 0, to, from);
    else
        NW_LAUNCH(turn<true>, 1, 32, 0, 0, to, from);
}

__global__ static void warp(uint32_t *to, unsigned ended)
{
    const unsigned all = 0xffffffffu;
    unsigned lane = threadIdx.x % 32, half = lane < 16 ? 0xffffu : 0xffff0000u;
    uint32_t *mine = to + SAMPLE_OPERATIONS * threadIdx.x;

    if (lane >= ended)
        return;
    *mine++ = __shfl_sync(all, threadIdx.x, 5);
    *mine++ = __shfl_sync(all, threadIdx.x, lane + 3, 8);
    *mine++ = __shfl_up_sync(all, threadIdx.x, 1);
    *mine++ = __shfl_up_sync(all, threadIdx.x, 3, 16);
    *mine++ = __shfl_down_sync(all, threadIdx.x, 1);
    *mine++ = __shfl_down_sync(all, threadIdx.x, 5, 8);
    *mine++ = __shfl_xor_sync(all, threadIdx.x, 1);
    *mine++ = __shfl_xor_sync(all, threadIdx.x, 16, 16);
    *mine++ = __ballot_sync(all, lane % 3 == 0);
    *mine++ = (uint32_t)__any_sync(all, lane == 7);
    *mine++ = (uint32_t)__any_sync(all, lane == 77);
    *mine++ = (uint32_t)__all_sync(all, lane < 32);
    *mine++ = (uint32_t)__all_sync(all, lane != 7);
    *mine++ = __match_any_sync(all, lane % 5);
    *mine++ = __ballot_sync(half, 1);
    *mine++ = (uint32_t)(__shfl_down_sync(half, (unsigned long long)threadIdx.x << 33, 1, 16) >> 33);
    *mine++ = (uint32_t)(int)__shfl_xor_sync(all, -1.5 * threadIdx.x, 2);
    __syncwarp();
    *mine++ = __float_as_uint(__shfl_sync(all, 0.5f * threadIdx.x, 1));
}

void sample_warp(uint32_t *to, unsigned threads, unsigned ended)
{
    NW_LAUNCH(warp, 1, threads, 0, 0, to, ended);
}

__global__ static void atomics(unsigned long long *to)
{
    unsigned n = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long seen = to[8], mine;

    atomicAdd(&to[0], n);
    atomicMax(&to[1], n);
    atomicMin(&to[2], 1000u - n % 1000u);
    atomicOr(&to[3], 1ull << n % 64);
    atomicAnd(&to[4], ~(1ull << n % 16));
    atomicXor(&to[5], n);
    atomicExch(&to[6], 7u);
    atomicCAS(&to[7], 0ull, 9ull);
    /* an addition made of comparisons */
    do {
        mine = seen;
        seen = atomicCAS(&to[8], mine, mine + 2);
    } while (seen != mine);
    to[9] = 1;
}

void sample_atomics(uint64_t *to, unsigned blocks)
{
    NW_LAUNCH(atomics, blocks, SAMPLE_THREADS, 0, 0, (unsigned long long *)to);
}

__global__ static void votes(uint32_t *to, unsigned limit)
{
    to[3 * threadIdx.x] = (uint32_t)__syncthreads_count(threadIdx.x < limit);
    to[3 * threadIdx.x + 1] = (uint32_t)__syncthreads_or(threadIdx.x < limit);
    to[3 * threadIdx.x + 2] = (uint32_t)__syncthreads_and(threadIdx.x < limit);
}

void sample_votes(uint32_t *to, unsigned limit)
{
    NW_LAUNCH(votes, 1, SAMPLE_THREADS, 0, 0, to, limit);
}

__global__ static void unwritten(uint32_t *to)
{
    __shared__ uint32_t fixed[4];
    NW_SHARED(uint32_t, given);

    to[2 * blockIdx.x] = fixed[3];
    to[2 * blockIdx.x + 1] = given[3];
    fixed[3] = given[3] = 1;
}

void sample_unwritten(uint32_t *to)
{
    NW_LAUNCH(unwritten, 2, 1, 16, 0, to);
}

__global__ static void chain(uint64_t *to, uint32_t *ticket)
{
    __shared__ uint32_t number;

    if (threadIdx.x == 0)
        number = atomicAdd(ticket, 1u);
    __syncthreads();
    if (threadIdx.x == blockDim.x - 1) {
        volatile uint64_t *before = to + number - 1;

        while (number && !*before)
            ;
        to[number] = number + (number ? *before : 1);
    }
}

void sample_chain(uint64_t *to, uint32_t *ticket, unsigned blocks)
{
    NW_LAUNCH(chain, blocks, 64, 0, 0, to, ticket);
}

__global__ static void bits(uint32_t *to)
{
    *to++ = __byte_perm(0x33221100u, 0xf7e6d5c4u, 0x7410u);
    *to++ = __byte_perm(0x33221100u, 0xf7e6d5c4u, 0xf8efu);
    *to++ = __funnelshift_l(0x89abcdefu, 0x01234567u, 8);
    *to++ = __funnelshift_r(0x89abcdefu, 0x01234567u, 8);
    *to++ = __brev(0x80000002u);
    *to++ = (uint32_t)(__clz(0) + 100 * __clz(1) + 10000 * __ffs(0) + 1000000 * __ffs(8));
    *to++ = (uint32_t)__float2int_rn(2.5f);
    *to++ = (uint32_t)__float2int_rn(3e9f);
    *to++ = (uint32_t)__float2int_rz(-1e30f);
    *to++ = (uint32_t)__float2int_rn(__uint_as_float(0x7fc00000u));
    *to++ = __float2uint_rz(-3.0f);
    *to++ = __float2uint_rz(5e9f);
    *to++ = __umulhi(0x80000000u, 6u);
    *to++ = (uint32_t)max(-3, 2) + (uint32_t)min(7u, 8u);
    *to++ = (uint32_t)__dp4a(0x01ff0203, 0x02020202, 100);
    *to++ = __float_as_uint(max(__uint_as_float(0x7fc00000u), 1.0f));
}

void sample_bits(uint32_t *to)
{
    NW_LAUNCH(bits, 1, 1, 0, 0, to);
}

__global__ static void two_barriers(uint32_t *to)
{
    if (threadIdx.x < 16)
        __syncthreads();
    else
        __syncthreads();
    to[threadIdx.x] = 1;
}

void sample_two_barriers(uint32_t *to)
{
    NW_LAUNCH(two_barriers, 1, 32, 0, 0, to);
}

__global__ static void barrier_against_warp(uint32_t *to)
{
    if (threadIdx.x % 2)
        __syncthreads();
    to[threadIdx.x] = __shfl_sync(0xffffffffu, threadIdx.x, 0);
}

void sample_barrier_against_warp(uint32_t *to)
{
    NW_LAUNCH(barrier_against_warp, 1, 32, 0, 0, to);
}

__global__ static void unlike_functions(uint32_t *to)
{
    if (threadIdx.x < 16)
        to[threadIdx.x] = __ballot_sync(0xffffffffu, 1);
    else
        to[threadIdx.x] = __match_any_sync(0xffffffffu, 1);
}

void sample_unlike_functions(uint32_t *to)
{
    NW_LAUNCH(unlike_functions, 1, 32, 0, 0, to);
}

__global__ static void foreign_mask(uint32_t *to)
{
    to[threadIdx.x] = __ballot_sync(0xffffu, 1);
}

void sample_foreign_mask(uint32_t *to)
{
    NW_LAUNCH(foreign_mask, 1, 32, 0, 0, to);
}

void sample_launch(uint32_t *to, unsigned blocks, unsigned threads, unsigned shared_bytes)
{
    NW_LAUNCH(foreign_mask, blocks, threads, shared_bytes, 0, to);
}
