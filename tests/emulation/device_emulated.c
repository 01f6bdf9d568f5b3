/* device_emulated.c - harness/bench/device.h for emulated tests: the device's memory is the process's own. */
#include "harness/bench/device.h"

#include <stdlib.h>
#include <string.h>

#include "tests/emulation/emulation.h"

bool device_present(const char **why)
{
    *why = NULL;
    return 1;
}

const char *device_name(void)
{
    return "the processor, emulating a device";
}

void *device_alloc(size_t nbytes)
{
    void *p;

    return posix_memalign(&p, 256, nbytes) ? NULL : p;
}

void device_free(void *p)
{
    free(p);
}

void device_fill(void *dst, int byte, size_t nbytes)
{
    memset(dst, byte, nbytes);
}

void device_write(void *dst, const void *src, size_t nbytes)
{
    memcpy(dst, src, nbytes);
}

void device_read(void *dst, const void *src, size_t nbytes)
{
    memcpy(dst, src, nbytes);
}

void device_copy(void *dst, const void *src, size_t nbytes)
{
    memmove(dst, src, nbytes);
}

void device_start(void)
{
}

double device_stop_s(void)
{
    return 0;
}

const char *device_error(void)
{
    return emulation_fault();
}
