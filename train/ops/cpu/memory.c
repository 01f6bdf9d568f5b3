/* memory.c - memory that the operations work on, and the step that moves weights along. */
#include <string.h>

#include "train/ops/cpu/cpu.h"

enum { ALIGN = 64 };

void *cpu_alloc(struct ops *o, size_t nbytes)
{
    void *p = nbytes <= PTRDIFF_MAX - ALIGN ? aligned_alloc(ALIGN, nbytes / ALIGN * ALIGN + ALIGN) : NULL;

    if (!p)
        cpu_fail(o, "no memory for %zu bytes", nbytes);
    return p;
}

void cpu_release(struct ops *o, void *p)
{
    (void)o;
    free(p);
}

static int copy(void *to, const void *from, size_t nbytes)
{
    if (nbytes)
        memcpy(to, from, nbytes);
    return 0;
}

int cpu_upload(struct ops *o, void *to, const void *from_host, size_t nbytes, void *stream)
{
    (void)o;
    (void)stream;
    return copy(to, from_host, nbytes);
}

int cpu_download(struct ops *o, void *to_host, const void *from, size_t nbytes, void *stream)
{
    (void)o;
    (void)stream;
    return copy(to_host, from, nbytes);
}

int cpu_zero(struct ops *o, void *p, size_t nbytes, void *stream)
{
    (void)o;
    (void)stream;
    if (nbytes)
        memset(p, 0, nbytes);
    return 0;
}

int cpu_finish(struct ops *o, void *stream)
{
    (void)o;
    (void)stream;
    return 0;
}

CPU_CLONES static void step(int64_t n, float rate, float momentum, float decay, const float *gradient, float *velocity,
                            float *weights)
{
    CPU_SIMD
    for (int64_t i = 0; i < n; i++) {
        velocity[i] = (momentum * velocity[i] + gradient[i]) + decay * weights[i];
        weights[i] -= rate * velocity[i];
    }
}

int cpu_sgd_update(struct ops *o, int64_t n, float rate, float momentum, float decay, const float *gradient,
                   float *velocity, float *weights, void *stream)
{
    (void)o;
    (void)stream;
    CPU_EACH_SPAN(n, at)
    step(cpu_span(n, at), rate, momentum, decay, gradient + at, velocity + at, weights + at);
    return 0;
}
