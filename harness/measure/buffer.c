#include "harness/measure/buffer.h"

#include <stdint.h>
#include <sys/mman.h>

#include "harness/status.h"

enum { HUGE_PAGE = 2 << 20 };

int buffer_make(struct buffer *b, size_t nbytes)
{
    size_t size = (nbytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (p == MAP_FAILED)
        return status_error(NW_ENOMEM, "bench: no memory for %.0f MB; try a smaller --size\n", (double)size / 1e6);
    madvise(p, size, MADV_HUGEPAGE); /* refused where the kernel has none: small pages then */
    *b = (struct buffer){ p, size };
    return NW_OK;
}

void buffer_free(struct buffer *b)
{
    if (b->p)
        munmap(b->p, b->nbytes);
    *b = (struct buffer){ 0 };
}

/* Sum of four uniform numbers in -1/2 .. 1/2: variance 1/3, near enough to normal. */
static float weight(size_t i)
{
    uint64_t h = (i + 1) * 0x9e3779b97f4a7c15u;
    int sum = 0;

    h = (h ^ h >> 32) * 0xd6e8feb86659fd93u;
    h ^= h >> 32;
    for (int part = 0; part < 4; part++)
        sum += (int)(h >> (16 * part) & 0xffff) - 0x8000;
    return (float)(sum + (sum == 0)) * (0.17320508f / 65536.0f);
}

void buffer_weights(float *weights, size_t n)
{
#ifdef NW_OPENMP
#pragma omp parallel for schedule(static)
#endif
    for (size_t i = 0; i < n; i++)
        weights[i] = weight(i);
}
