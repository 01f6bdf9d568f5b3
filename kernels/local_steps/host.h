/* host.h - the codec over the spans of an ISA. */
#ifndef NARROWS_KERNELS_LOCAL_STEPS_HOST_H
#define NARROWS_KERNELS_LOCAL_STEPS_HOST_H

#include "kernels/local_steps/local_steps.h"
#include "kernels/shared/receive.h"
#include "kernels/shared/rows.h"

CODEC_HOST_DECLARE(local_steps, struct plain_spans);

#endif
