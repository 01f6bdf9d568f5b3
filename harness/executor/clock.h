/* clock.h - when operations started and ended, as the device sees it. Launched work sets marks, which are read when
 * it is done.
 * Host       the clock of the thread that plays the device.
 * CUDA       events on the compute stream. A mark is the time at which the stream reaches it, so a late launch counts
 *            as waiting.
 * Units      nanoseconds since mark 0. */
#ifndef NARROWS_HARNESS_EXECUTOR_CLOCK_H
#define NARROWS_HARNESS_EXECUTOR_CLOCK_H

#include <stddef.h>
#include <stdint.h>

struct clock;

struct clock_ops {
    struct clock *(*open)(size_t nmarks); /* NULL with the message on stderr */
    void (*close)(struct clock *c);       /* accepts NULL */
    void (*mark)(struct clock *c, size_t mark, void *stream);
    int64_t (*at_ns)(const struct clock *c, size_t mark); /* below 0: the device failed */
};

extern const struct clock_ops clock_host;
extern const struct clock_ops clock_cuda; /* where CUDA is built */

#endif
