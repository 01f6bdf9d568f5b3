/* codec_host.h - the codec "fp32" over the spans of an ISA. */
#ifndef NARROWS_KERNELS_PLAIN_CODEC_HOST_H
#define NARROWS_KERNELS_PLAIN_CODEC_HOST_H

#include "kernels/shared/receive.h"
#include "kernels/shared/rows.h"

CODEC_HOST_DECLARE(plain, struct plain_spans);

#endif
