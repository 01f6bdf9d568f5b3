/* device_absent.c - a build without CUDA: there is no device, so nothing but the question is ever called. */
#include "harness/bench/device.h"

#include <assert.h>
#include <stdbool.h>

bool device_present(const char **why)
{
    *why = "this program was built without CUDA";
    return false;
}

const char *device_name(void)
{
    return "";
}

void *device_alloc(size_t nbytes)
{
    (void)nbytes;
    return NULL;
}

void device_free(void *p)
{
    assert(!p);
    (void)p;
}

static void refuse(void)
{
    assert(!"no device");
}

void device_fill(void *dst, int byte, size_t nbytes)
{
    (void)dst, (void)byte, (void)nbytes;
    refuse();
}

void device_write(void *dst, const void *src, size_t nbytes)
{
    (void)dst, (void)src, (void)nbytes;
    refuse();
}

void device_read(void *dst, const void *src, size_t nbytes)
{
    (void)dst, (void)src, (void)nbytes;
    refuse();
}

void device_copy(void *dst, const void *src, size_t nbytes)
{
    (void)dst, (void)src, (void)nbytes;
    refuse();
}

void device_start(void)
{
    refuse();
}

double device_stop_s(void)
{
    refuse();
    return 0;
}

const char *device_error(void)
{
    return "this program was built without CUDA";
}
