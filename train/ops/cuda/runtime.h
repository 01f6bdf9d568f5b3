/* runtime.h - the few calls of the CUDA runtime that cuda.c needs: runtime.c makes them; tests that run the kernels on
 * the processor have their own.
 * Errors     runtime_error() reports failures. */
#ifndef NARROWS_TRAIN_OPS_CUDA_RUNTIME_H
#define NARROWS_TRAIN_OPS_CUDA_RUNTIME_H

#include <stddef.h>

/* Memory of the current device, aligned to 256 bytes; NULL if there is none. */
void *runtime_alloc(size_t nbytes);
void runtime_free(void *p); /* accepts NULL */
void runtime_zero(void *p, size_t nbytes, void *stream);
/* From the host, and to it; the host's memory is in use until the stream is done. */
void runtime_upload(void *to, const void *from_host, size_t nbytes, void *stream);
void runtime_download(void *to_host, const void *from, size_t nbytes, void *stream);
/* Waits until all work on the stream is done. */
void runtime_finish(void *stream);

/* A mark in a stream for which another stream can wait, without a wait of the processor. */
struct runtime_mark;
struct runtime_mark *runtime_mark_new(void); /* NULL: it could not be made */
void runtime_mark_free(struct runtime_mark *m);
void runtime_mark_set(struct runtime_mark *m, void *stream);
void runtime_mark_wait(struct runtime_mark *m, void *stream);

/* What went wrong since the last call; NULL if nothing did. */
const char *runtime_error(void);

#endif
