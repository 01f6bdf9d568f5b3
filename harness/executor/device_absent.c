/* device_absent.c - a build without CUDA: no device is opened, so these are never called. */
#include <stddef.h>

#include "harness/executor/clock.h"
#include "harness/executor/content.h"

const struct content_ops content_cuda = { NULL, NULL, NULL, NULL, NULL, NULL };
const struct clock_ops clock_cuda = { NULL, NULL, NULL, NULL };
