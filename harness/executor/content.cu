/* content.cu - the same in a GPU's memory. A leaf: kernels and their launchers. */
#include "harness/executor/content.h"

#include "kernels/shared/launch.cuh"

#include "harness/executor/stamp_lane.h"

static const unsigned THREADS = 256;
static const size_t MAX_BLOCKS = 2048;

typedef unsigned long long word64;

static unsigned blocks_for(size_t n)
{
    size_t blocks = (n + THREADS - 1) / THREADS;

    return (unsigned)(blocks < 1 ? 1 : blocks < MAX_BLOCKS ? blocks : MAX_BLOCKS);
}

static __device__ size_t first_index(void)
{
    return (size_t)blockIdx.x * blockDim.x + threadIdx.x;
}

static __device__ size_t index_step(void)
{
    return (size_t)gridDim.x * blockDim.x;
}

__global__ static void stamp_kernel(uint64_t *words, size_t n, uint64_t first)
{
    for (size_t i = first_index(); i < n; i += index_step())
        words[i] = first + i;
}

/* 'at' counts down from n, so that the smallest index wins; it is set back where nothing was wrong. */
__global__ static void check_begin(content_report *report, size_t n)
{
    report->at = n;
}

__global__ static void check_kernel(const uint64_t *words, size_t n, uint64_t first, content_report *report)
{
    for (size_t i = first_index(); i < n; i += index_step())
        if (words[i] != first + i) {
            atomicAdd((word64 *)&report->wrong, (word64)1);
            atomicMin((word64 *)&report->at, (word64)i);
        }
}

__global__ static void check_end(const uint64_t *words, content_report *report)
{
    if (report->wrong)
        report->found = words[report->at];
    else
        report->at = 0;
}

/* Of an extent as well. */
__global__ static void sum_begin(uint64_t *sum)
{
    *sum = 0;
}

__global__ static void sum_kernel(const uint32_t *words, size_t n, uint64_t *sum)
{
    uint64_t mine = 0;

    for (size_t i = first_index(); i < n; i += index_step())
        mine += checksum_term(words[i], i);
    for (int half = 16; half; half /= 2)
        mine += __shfl_down_sync(0xffffffffu, (word64)mine, half);
    if (threadIdx.x % 32 == 0)
        atomicAdd((word64 *)sum, (word64)mine);
}

__global__ static void compare_kernel(const uint64_t *sum, const uint64_t *expected, content_report *report)
{
    if (*sum != *expected) {
        report->wrong = 1;
        report->found = *sum;
    }
}

__global__ static void fill_kernel(uint32_t *words, size_t n, uint32_t with)
{
    for (size_t i = first_index(); i < n; i += index_step())
        words[i] = with;
}

__global__ static void fill_bytes(unsigned char *bytes, size_t n, unsigned char with)
{
    for (size_t i = first_index(); i < n; i += index_step())
        bytes[i] = with;
}

__global__ static void extent_kernel(const uint32_t *words, size_t n, uint32_t with, uint64_t *end)
{
    word64 mine = 0;

    for (size_t i = first_index(); i < n; i += index_step())
        if (words[i] != with)
            mine = i + 1;
    if (mine)
        atomicMax((word64 *)end, mine);
}

static void stamp(uint64_t *words, size_t n, uint64_t first, void *stream)
{
    NW_LAUNCH(stamp_kernel, blocks_for(n), THREADS, 0, (cudaStream_t)stream, words, n, first);
}

static void check(const uint64_t *words, size_t n, uint64_t first, content_report *report, void *stream)
{
    NW_LAUNCH(check_begin, 1, 1, 0, (cudaStream_t)stream, report, n);
    NW_LAUNCH(check_kernel, blocks_for(n), THREADS, 0, (cudaStream_t)stream, words, n, first, report);
    NW_LAUNCH(check_end, 1, 1, 0, (cudaStream_t)stream, words, report);
}

static void sum(const uint32_t *words, size_t n, uint64_t *to, void *stream)
{
    NW_LAUNCH(sum_begin, 1, 1, 0, (cudaStream_t)stream, to);
    NW_LAUNCH(sum_kernel, blocks_for(n), THREADS, 0, (cudaStream_t)stream, words, n, to);
}

static void compare(const uint64_t *is, const uint64_t *expected, content_report *report, void *stream)
{
    NW_LAUNCH(compare_kernel, 1, 1, 0, (cudaStream_t)stream, is, expected, report);
}

/* Pool and tensors are aligned to 4 bytes; what is left over goes byte by byte. */
static void fill(void *to, int byte, size_t nbytes, void *stream)
{
    size_t whole = nbytes / 4 * 4;

    if (whole)
        NW_LAUNCH(fill_kernel, blocks_for(whole / 4), THREADS, 0, (cudaStream_t)stream, (uint32_t *)to, whole / 4,
                  (uint32_t)(byte & 0xff) * 0x01010101u);
    if (nbytes > whole)
        NW_LAUNCH(fill_bytes, 1, THREADS, 0, (cudaStream_t)stream, (unsigned char *)to + whole, nbytes - whole,
                  (unsigned char)byte);
}

static void extent(const uint32_t *words, size_t n, uint32_t with, uint64_t *end, void *stream)
{
    NW_LAUNCH(sum_begin, 1, 1, 0, (cudaStream_t)stream, end);
    NW_LAUNCH(extent_kernel, blocks_for(n), THREADS, 0, (cudaStream_t)stream, words, n, with, end);
}

extern "C" const content_ops content_cuda = { stamp, check, sum, compare, fill, extent };
