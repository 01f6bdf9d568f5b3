/* adt.h - the codec "adt": its payload and limits are in adt.c. */
#ifndef NARROWS_KERNELS_CODEC_ADT_H
#define NARROWS_KERNELS_CODEC_ADT_H

#include "kernels/codec/codec.h"

extern const struct codec codec_adt;

#endif
