/* device.h - the little that timing and testing device kernels needs. device.c implements it over the CUDA runtime,
 * device_absent.c where CUDA is not built.
 * Units      bytes, seconds. Everything happens on the default stream of the current device.
 * Errors     calls that can fail leave the reason for device_error(); device_alloc() gives NULL. */
#ifndef NARROWS_HARNESS_BENCH_DEVICE_H
#define NARROWS_HARNESS_BENCH_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

/* Is there a device? If not, *why says what stands in the way (static text). */
bool device_present(const char **why);
const char *device_name(void); /* valid until the next call */

void *device_alloc(size_t nbytes);
void device_free(void *p); /* accepts NULL */
void device_fill(void *dst, int byte, size_t nbytes);
void device_write(void *dst, const void *src, size_t nbytes); /* host to device */
void device_read(void *dst, const void *src, size_t nbytes);  /* device to host; waits for what was launched before */
void device_copy(void *dst, const void *src, size_t nbytes);  /* within the device; returns before it is done */

/* Time between the two calls as the device sees it. The second one waits. */
void device_start(void);
double device_stop_s(void);

/* Wait for everything launched, then: what went wrong since the last call, NULL if nothing did. */
const char *device_error(void);

#endif
