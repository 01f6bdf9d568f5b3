/* emulated.c - harness/bench/device.h over the process's own memory, for the tests of device code that are run both on
 * a device and, as tests/emulation has it, without one. */
#include <stdlib.h>
#include <string.h>

#include "harness/bench/device.h"
#include "tests/emulation/emulation.h"

_Bool device_present(const char **why)
{
    *why = "";
    return 1;
}

const char *device_name(void)
{
    return "the emulated device";
}

void *device_alloc(size_t nbytes)
{
    void *p;

    return posix_memalign(&p, 256, nbytes ? nbytes : 1) ? NULL : p;
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

const char *device_error(void)
{
    return emulation_error() ? "a launch that no device takes" : NULL;
}
