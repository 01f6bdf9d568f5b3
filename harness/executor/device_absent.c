/* device_absent.c - a build without CUDA: nobody gets here, since no device is opened. */
#include <stddef.h>

#include "harness/executor/clock.h"
#include "harness/executor/content.h"

const struct content_ops content_cuda = { NULL, NULL, NULL, NULL, NULL, NULL };
const struct clock_ops clock_cuda = { NULL, NULL, NULL, NULL };
