/* codec_state.h - the state that a codec has of a tensor between steps, in a file: the 8 bytes "NRWSTATE", then a
 * stream (kernels/codec/stream.h) with the state as its payload, which brings codec, parameters, count and checksum.
 * Errors     0 or a negative nw_status with the message on stderr. */
#ifndef NARROWS_HARNESS_TENSOR_CODEC_STATE_H
#define NARROWS_HARNESS_TENSOR_CODEC_STATE_H

#include "kernels/codec/codec.h"

/* A fresh state if there is no such file, or path is NULL. NW_EINPUT for a file that is damaged or of another codec,
 * parameters or count. The caller frees *state. */
int codec_state_read(const char *path, const struct codec *codec, const struct codec_params *params, size_t n,
                     void **state);
int codec_state_write(const char *path, const struct codec *codec, const struct codec_params *params, size_t n,
                      const void *state);

#endif
