/* runtime_stand_in.c - runtime.h where there is no GPU: its memory is the process's, at other addresses. What is
 * downloaded is there once someone has waited for it. The current device is the first of CUDA_VISIBLE_DEVICES.
 *   NARROWS_GPU_STUCK     of the environment: work that was begun never ends */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/training/ranks/device.h"
#include "tests/training/device_address.h"
#include "train/ops/cuda/runtime.h"

enum { DOWNLOADS = 64 };

static struct {
    void *to;
    const void *from;
    size_t nbytes;
} downloads[DOWNLOADS];
static size_t ndownloads;
static const char *failed;

void *runtime_alloc(size_t nbytes)
{
    void *p;

    assert(nbytes); /* CUDA gives no address then */
    if (posix_memalign(&p, 256, nbytes)) {
        failed = "out of memory";
        return NULL;
    }
    return device_address(memset(p, 0xff, nbytes));
}

void runtime_free(void *p)
{
    free(process_address(p));
}

void runtime_zero(void *p, size_t nbytes, void *stream)
{
    (void)stream;
    memset(process_address(p), 0, nbytes);
}

void runtime_upload(void *to, const void *from_host, size_t nbytes, void *stream)
{
    (void)stream;
    memcpy(process_address(to), from_host, nbytes);
}

void runtime_download(void *to_host, const void *from, size_t nbytes, void *stream)
{
    (void)stream;
    assert(ndownloads < DOWNLOADS);
    downloads[ndownloads].to = to_host;
    downloads[ndownloads].from = process_address(from);
    downloads[ndownloads++].nbytes = nbytes;
}

void runtime_finish(void *stream)
{
    (void)stream;
    for (size_t i = 0; i < ndownloads; i++)
        memcpy(downloads[i].to, downloads[i].from, downloads[i].nbytes);
    ndownloads = 0;
}

bool device_done(void *stream)
{
    if (getenv("NARROWS_GPU_STUCK"))
        return false;
    runtime_finish(stream);
    return true;
}

struct runtime_mark *runtime_mark_new(void)
{
    return malloc(1);
}

void runtime_mark_free(struct runtime_mark *m)
{
    free(m);
}

void runtime_mark_set(struct runtime_mark *m, void *stream)
{
    (void)m;
    (void)stream;
}

void runtime_mark_wait(struct runtime_mark *m, void *stream)
{
    (void)m;
    (void)stream;
}

bool device_current(struct device *out)
{
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");

    *out = (struct device){ .name = "" };
    if (!visible || !*visible) {
        failed = "no device";
        return false;
    }
    out->uuid[0] = (uint8_t)atoi(visible);
    snprintf(out->name, sizeof(out->name), "GPU %d of the stand-in", atoi(visible));
    return true;
}

const char *runtime_error(void)
{
    const char *last = failed;

    failed = NULL;
    return last;
}
