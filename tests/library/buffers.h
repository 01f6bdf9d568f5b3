/* buffers.h - what a call of the library needs, each buffer of exactly the size that the library asks for. */
#ifndef NARROWS_TESTS_LIBRARY_BUFFERS_H
#define NARROWS_TESTS_LIBRARY_BUFFERS_H

#include <stdlib.h>
#include <string.h>

#include "library/narrows.h"
#include "tests/draw.h"
#include "tests/test.h"

struct buffers {
    narrows_coder coder;
    size_t n, nstream, nbytes;
    float *values, *decoded;
    uint8_t *stream, *payload, *state, *work; /* the payload is the stream's */
};

/* Of 64-byte alignment; NULL for no bytes, as the contract allows. */
static inline void *buffer_of(size_t nbytes, int fill)
{
    void *p = NULL;

    if (nbytes && posix_memalign(&p, 64, nbytes))
        fail_msg("no memory for %zu bytes", nbytes);
    return nbytes ? memset(p, fill, nbytes) : NULL;
}

/* Values of many sizes and both signs, some of them zero. */
static inline void buffers_draw(struct buffers *b, uint64_t seed)
{
    for (size_t i = 0; i < b->n; i++) {
        uint64_t z = draw(&seed);

        b->values[i] = z % 5 ? (float)(int32_t)(z >> 32) * (z % 3 ? 0x1p-31f : 0x1p-40f) : 0;
    }
}

static inline void buffers_make(struct buffers *b, const char *text, unsigned flags, size_t n)
{
    char why[1024];

    memset(b, 0, sizeof(*b));
    if (narrows_coder_choose(&b->coder, text, flags, why, sizeof(why)))
        fail_msg("%s: %s", text, why);
    b->n = n;
    b->nstream = narrows_stream_bound(&b->coder, n);
    b->values = buffer_of(n * sizeof(float), 0);
    b->decoded = buffer_of(n * sizeof(float), 0);
    b->stream = buffer_of(b->nstream, 0xee);
    b->payload = b->stream + 64;
    b->state = buffer_of(narrows_state_bytes(&b->coder, n), 0);
    b->work = buffer_of(narrows_work_bytes(&b->coder, n), 0xcd);
    buffers_draw(b, n);
}

static inline void buffers_free(struct buffers *b)
{
    free(b->values), free(b->decoded), free(b->stream), free(b->state), free(b->work);
}

#endif
