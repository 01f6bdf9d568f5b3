/* memory.c - rows of the backend "cuda" for weights and memory. */
#include "train/ops/cuda/launch.h"
#include "train/ops/cuda/turn.h"

int cuda_sgd_update(struct ops *o, int64_t n, float rate, float momentum, float decay, const float *gradient,
                    float *velocity, float *weights, void *stream)
{
    launch_sgd_update(weights, velocity, gradient, n, rate, momentum, decay, stream);
    return turn_launched(o);
}

void *cuda_alloc(struct ops *o, size_t nbytes)
{
    void *p = runtime_alloc(nbytes ? nbytes : 1);
    const char *error = p ? NULL : runtime_error();

    if (!p)
        cpu_fail(o, "no memory on the device for %zu bytes: %s", nbytes, error ? error : "none left");
    return p;
}

void cuda_release(struct ops *o, void *p)
{
    (void)o;
    runtime_free(p);
}

int cuda_upload(struct ops *o, void *to, const void *from_host, size_t nbytes, void *stream)
{
    runtime_upload(to, from_host, nbytes, stream);
    return turn_launched(o);
}

int cuda_download(struct ops *o, void *to_host, const void *from, size_t nbytes, void *stream)
{
    runtime_download(to_host, from, nbytes, stream);
    return cuda_finish(o, stream);
}

int cuda_zero(struct ops *o, void *p, size_t nbytes, void *stream)
{
    runtime_zero(p, nbytes, stream);
    return turn_launched(o);
}

int cuda_finish(struct ops *o, void *stream)
{
    runtime_finish(stream);
    return turn_launched(o);
}
