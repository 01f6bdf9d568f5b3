/* runs.cuh - zero-run encoding of chunks on the device (kernels/zre), a block of threads for each chunk. The encoded
 * chunks follow one another without gaps: a block learns where its own begins from the blocks before it while they work
 * ("decoupled look-back", Merrill and Garland 2016), so that the bytes are written once. */
#ifndef NARROWS_KERNELS_THREELC_RUNS_CUH
#define NARROWS_KERNELS_THREELC_RUNS_CUH

#include <stdbool.h>

#include "kernels/codec/codec.h"
#include "kernels/shared/quads.cuh"
#include "kernels/shared/scan.cuh"
#include "kernels/threelc/threelc_lane.h"
#include "kernels/zre/zre_lane.h"

enum { RUNS_CHUNK = 16384, RUNS_THREADS = 1024, RUNS_EACH = RUNS_CHUNK / RUNS_THREADS };

/* What blocks tell one another, a word for each chunk: the bytes of the chunk, or those up to its end. 0 is nothing
 * yet. */
#define RUNS_LENGTH ((unsigned long long)1 << 62)
#define RUNS_END ((unsigned long long)2 << 62)
#define RUNS_VALUE (RUNS_LENGTH - 1)

struct runs_encoding {
    uint8_t *payload;
    const uint8_t *quartic; /* on 16 bytes */
    unsigned long long *published, *ticket;
    uint64_t *nbytes;
    size_t bytes, chunks;
};

/* The bytes of all chunks before this one. By the first warp, which looks at 32 chunks at a time. */
__device__ static inline unsigned long long runs_before(const runs_encoding &e, size_t chunk)
{
    unsigned long long sum = 0;
    unsigned lane = threadIdx.x % 32;

    for (size_t end = chunk;;) {
        volatile unsigned long long *from = e.published + end - 1 - lane;
        unsigned long long word = lane < end ? *from : RUNS_END;
        unsigned known, counted;

        if (!__all_sync(0xffffffffu, word != 0))
            continue;
        known = __ballot_sync(0xffffffffu, (word & RUNS_END) != 0);
        counted = known ? static_cast<unsigned>(__ffs(static_cast<int>(known))) : 32u;
        word = lane < counted ? word & RUNS_VALUE : 0;
        for (int half = 16; half; half /= 2)
            word += __shfl_xor_sync(0xffffffffu, word, half);
        sum += word;
        if (known)
            return sum;
        end -= 32;
    }
}

/* Tell the others, find the own place, tell that. Returns it to every thread. */
__device__ static inline size_t runs_place(const runs_encoding &e, size_t chunk, unsigned length)
{
    __shared__ unsigned long long place;
    volatile unsigned long long *mine = e.published + chunk;

    if (threadIdx.x < 32) {
        unsigned long long before = 0;

        if (threadIdx.x == 0)
            *mine = chunk ? RUNS_LENGTH | length : RUNS_END | length;
        __syncwarp();
        if (chunk)
            before = runs_before(e, chunk);
        if (threadIdx.x == 0) {
            place = before;
            if (chunk)
                *mine = RUNS_END | (before + length);
        }
    }
    __syncthreads();
    return place;
}

/* The bytes of a thread, and what it has to know of its neighbours. */
struct runs_segment {
    uint4 word;
    unsigned first, end; /* positions in the chunk */
    int before;          /* of the last byte before it that is no zero group; -1 */
    bool zero_behind;    /* does a run go on behind it? */

    __device__ unsigned byte(unsigned i) const
    {
        unsigned w = i < 8 ? i < 4 ? word.x : word.y : i < 12 ? word.z : word.w;

        return w >> 8 * (i % 4) & 255u;
    }
};

/* Calls symbol() with each byte of the result, in order. */
template <class Symbol> __device__ static inline void runs_walk(const runs_segment &s, Symbol symbol)
{
    int before = s.before;

#pragma unroll
    for (unsigned i = 0; i < RUNS_EACH; i++) {
        unsigned at = s.first + i, b = s.byte(i);

        if (at >= s.end)
            continue;
        if (b != ZRE_ZERO) {
            symbol(static_cast<uint8_t>(b));
            before = static_cast<int>(at);
        } else {
            unsigned length = (at - static_cast<unsigned>(before + 1)) % ZRE_LONGEST + 1;
            bool goes_on =
                at + 1 < s.end && i + 1 < RUNS_EACH ? s.byte((i + 1) % RUNS_EACH) == ZRE_ZERO : s.zero_behind;

            if (length == ZRE_LONGEST || !goes_on)
                symbol(zre_symbol_lane(length));
        }
    }
}

__device__ static inline runs_segment runs_fetch(const uint8_t *quartic, unsigned count)
{
    runs_segment s = { make_uint4(0, 0, 0, 0), threadIdx.x * RUNS_EACH, 0, -1, false };
    int last = -1, all;

    s.end = s.first < count ? min(s.first + RUNS_EACH, count) : s.first;
    if (s.first < s.end)
        s.word = reinterpret_cast<const uint4 *>(quartic)[threadIdx.x];
#pragma unroll
    for (unsigned i = 0; i < RUNS_EACH; i++)
        if (s.first + i < s.end && s.byte(i) != ZRE_ZERO)
            last = static_cast<int>(s.first + i);
    s.before = scan_block<scan_most>(last, -1, &all);
    s.zero_behind = s.end == s.first + RUNS_EACH && s.end < count && quartic[s.end] == ZRE_ZERO;
    return s;
}

__global__ static void __launch_bounds__(RUNS_THREADS, NW_BLOCKS_OF_1024) runs_encode(runs_encoding e)
{
    __shared__ uint8_t result[RUNS_CHUNK];
    __shared__ size_t number;
    unsigned count, length = 0, at, all;
    size_t chunk, place, head = 4 + 4 * e.chunks;
    runs_segment s;

    if (threadIdx.x == 0)
        number = atomicAdd(e.ticket, 1ull);
    __syncthreads();
    chunk = number;
    count = static_cast<unsigned>(min(e.bytes - chunk * RUNS_CHUNK, static_cast<size_t>(RUNS_CHUNK)));
    s = runs_fetch(e.quartic + chunk * RUNS_CHUNK, count);
    runs_walk(s, [&](uint8_t) { length++; });
    at = scan_block<scan_sum>(length, 0u, &all);
    runs_walk(s, [&](uint8_t symbol) { result[at++] = symbol; });
    place = head + runs_place(e, chunk, all); /* all have written */
    for (unsigned i = threadIdx.x; i < all; i += RUNS_THREADS)
        e.payload[place + i] = result[i];
    if (threadIdx.x == 0) {
        reinterpret_cast<uint32_t *>(e.payload)[1 + chunk] = all;
        if (chunk == e.chunks - 1)
            *e.nbytes = place + all;
    }
}

/* --- back -------------------------------------------------------------------------------------------------------- */

struct runs_decoding {
    const uint8_t *payload;
    size_t nbytes, bytes, chunks;
    unsigned long long *place; /* of each chunk in the payload */
    uint8_t *quartic;
    int *error;
};

__device__ static inline unsigned runs_count(const runs_decoding &d, size_t chunk)
{
    return static_cast<unsigned>(min(d.bytes - chunk * RUNS_CHUNK, static_cast<size_t>(RUNS_CHUNK)));
}

/* M and the table of lengths, in the order in which a reader would stumble over them. One block. */
__global__ static void __launch_bounds__(RUNS_THREADS) runs_check_table(runs_decoding d)
{
    __shared__ unsigned long long worst;
    const uint32_t *words = reinterpret_cast<const uint32_t *>(d.payload);
    unsigned long long space = d.nbytes - 4 - 4 * d.chunks, before = 0;

    if (threadIdx.x == 0)
        worst = ~0ull;
    for (size_t tile = 0; tile < d.chunks; tile += RUNS_THREADS) {
        size_t c = tile + threadIdx.x;
        unsigned long long length = c < d.chunks ? words[1 + c] : 0, all;
        unsigned long long at = before + scan_block<scan_sum>(length, 0ull, &all);

        if (c < d.chunks) {
            d.place[c] = 4 + 4 * d.chunks + at;
            if (!length || length > runs_count(d, c))
                atomicMin(&worst, static_cast<unsigned long long>(c) << 8 | CODEC_CONTENT);
            else if (at + length > space)
                atomicMin(&worst, static_cast<unsigned long long>(c) << 8 | CODEC_SHORT);
        }
        before += all;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        *d.error = words[0] >= 0x7f800000u ? CODEC_CONTENT
                   : worst != ~0ull        ? static_cast<int>(worst & 255u)
                   : before != space       ? CODEC_LONG
                                           : CODEC_OK;
}

/* A chunk's quartic bytes to d.quartic, if they are as many as there should be. */
__global__ static void __launch_bounds__(RUNS_THREADS) runs_expand(runs_decoding d)
{
    __shared__ uint8_t encoded[RUNS_CHUNK], result[RUNS_CHUNK];
    __shared__ int error;
    size_t chunk = blockIdx.x;
    unsigned count = runs_count(d, chunk), length, expanded = 0, at, all;
    unsigned first = threadIdx.x * RUNS_EACH;

    if (threadIdx.x == 0)
        error = *d.error;
    __syncthreads();
    if (error)
        return;
    length = reinterpret_cast<const uint32_t *>(d.payload)[1 + chunk];
    for (unsigned i = threadIdx.x; i < length; i += RUNS_THREADS)
        encoded[i] = d.payload[d.place[chunk] + i];
    __syncthreads();
    for (unsigned i = first; i < first + RUNS_EACH && i < length; i++)
        expanded += zre_length_lane(encoded[i]);
    at = scan_block<scan_sum>(expanded, 0u, &all);
    if (all != count) {
        if (threadIdx.x == 0)
            *d.error = CODEC_CONTENT;
        return;
    }
    for (unsigned i = first; i < first + RUNS_EACH && i < length; i++)
        for (unsigned j = zre_length_lane(encoded[i]); j; j--)
            result[at++] = zre_byte_lane(encoded[i]);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < count; i += RUNS_THREADS)
        d.quartic[chunk * RUNS_CHUNK + i] = result[i];
}

#endif
