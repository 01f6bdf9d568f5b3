/* narrows.h - the codecs of narrows as a library: ways to send a tensor of fp32 values in fewer bytes.
 *
 *      narrows_coder coder;
 *      narrows_coder_choose(&coder, "3lc:s=1.75", 0, why, sizeof(why));
 *      payload = aligned_alloc(64, narrows_payload_bound(&coder, n)), state and work alike; state all zero bytes
 *      narrows_encode(&coder, payload, &nbytes, gradient, n, state, work);     the sender's side
 *      narrows_decode(&coder, values, n, payload, nbytes, work);               the receiver's
 *
 * Shapes     n values in order, at most NARROWS_MOST_VALUES; a payload is the bytes that cross the wire. A sealed
 *            stream is a payload behind a header of 64 bytes that names codec, parameters, n and checksum.
 * State      what a codec keeps of a tensor from one step to the next: one for each tensor and direction, of
 *            narrows_state_bytes(). All zero bytes is a fresh state.
 * Work       scratch of one call, of narrows_work_bytes(); nothing in it outlives the call.
 * Ownership  the caller's alone: no function allocates, and what a function returns as text or codec is static.
 * Alignment  payload, state, work and stream start on a 64-byte boundary, values on that of a float; otherwise
 *            NARROWS_MISALIGNED. A size of 0 may come with NULL. Buffers of one call do not overlap: NARROWS_ARGUMENT.
 * Threads    every function may be called from any thread at once, as long as no two calls write the same buffer.
 *            Those of a coder that was not chosen with NARROWS_SERIAL split their work over OpenMP's threads.
 * Bits       the same for every implementation, device and number of threads.
 * Errors     a narrows_error; narrows_error_text() says it in words. After an error nothing that the caller passed is
 *            changed, but a 'why'. No input makes a function abort.
 * ABI        symbols are versioned; a later libnarrows.so.0 has these functions and structs as they are. */
#ifndef NARROWS_H
#define NARROWS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define NARROWS_API __attribute__((visibility("default")))
#else
#define NARROWS_API
#endif

#define NARROWS_PARAMS 4
#define NARROWS_MOST_VALUES ((size_t)1 << 40)

typedef enum narrows_error {
    NARROWS_OK,
    NARROWS_SHORT,      /* the input is shorter than it says */
    NARROWS_LONG,       /* bytes are left over */
    NARROWS_FOREIGN,    /* no stream of narrows, or of a later version */
    NARROWS_UNKNOWN,    /* no codec of that name or number */
    NARROWS_PARAMETER,  /* a parameter out of its range, or that the codec does not have */
    NARROWS_COUNT,      /* not the number of values that the caller expects, or more than there can be */
    NARROWS_CHECKSUM,   /* damaged */
    NARROWS_CONTENT,    /* the codec cannot have written this payload */
    NARROWS_MISALIGNED, /* a buffer does not start where it must */
    NARROWS_ARGUMENT,   /* a null pointer, or something else that no caller should pass */
    NARROWS_ABSENT,     /* this machine, build or codec does not have what was asked for */
} narrows_error;

/* How payloads of several workers become one sum. */
typedef enum narrows_class {
    NARROWS_REDUCIBLE,       /* payloads are arrays of numbers that an allreduce adds up */
    NARROWS_REDUCIBLE_TWICE, /* in two rounds, each an array that an allreduce adds up */
    NARROWS_GATHERED,        /* every payload reaches every receiver, which decodes and adds */
    NARROWS_SCATTERED,       /* each part is summed by its owner (narrows_reduce) and gathered */
} narrows_class;

/* What an allreduce adds. */
typedef enum narrows_number {
    NARROWS_NO_NUMBERS,
    NARROWS_FP32,
    NARROWS_FP16,
    NARROWS_BF16,
} narrows_number;

typedef struct narrows_codec narrows_codec;

typedef struct narrows_param {
    const char *name, *unit, *what;
    double lowest, highest, preset;
    double multiple; /* only multiples of it; 0: any number */
} narrows_param;

/* A codec with its parameters and the implementation that runs it: a plain value, which may be copied, in one process.
 * Its members are read, and written only by narrows_coder_choose() and narrows_open(). */
typedef struct narrows_coder {
    const narrows_codec *codec;
    double param[NARROWS_PARAMS];
    const void *row;
    uint64_t reserved[4];
} narrows_coder;

enum {
    NARROWS_SERIAL = 1, /* one thread, the caller's */
    NARROWS_DEVICE = 2, /* buffers are in CUDA memory: narrows_encode_on() and narrows_decode_on() */
};

/* "0.2.0"; of the library that runs, not of this header. */
NARROWS_API const char *narrows_version(void);
NARROWS_API const char *narrows_error_text(int error);

/* The i-th codec, NULL past the last; by name or alias, NULL if there is none. */
NARROWS_API const narrows_codec *narrows_codec_at(size_t i);
NARROWS_API const narrows_codec *narrows_codec_find(const char *name);
NARROWS_API const char *narrows_codec_name(const narrows_codec *codec);
NARROWS_API const char *narrows_codec_what(const narrows_codec *codec);
NARROWS_API const char *narrows_codec_source(const narrows_codec *codec);
NARROWS_API narrows_class narrows_codec_class(const narrows_codec *codec);
/* NARROWS_COUNT past the last parameter. */
NARROWS_API int narrows_codec_param(const narrows_codec *codec, size_t i, narrows_param *param);

/* 'text' as in "3lc:s=1.75"; why[0..nwhy) gets a line without its end, empty without an error (nwhy may be 0).
 * NARROWS_UNKNOWN, NARROWS_PARAMETER, NARROWS_ABSENT (no device), NARROWS_ARGUMENT (flags). */
NARROWS_API int narrows_coder_choose(narrows_coder *coder, const char *text, unsigned flags, char *why, size_t nwhy);
/* "avx512+omp", "cuda"; NULL without a coder that was chosen. */
NARROWS_API const char *narrows_coder_impl(const narrows_coder *coder);

/* Bytes; SIZE_MAX for more than NARROWS_MOST_VALUES values, or without a coder that was chosen. */
NARROWS_API size_t narrows_payload_bound(const narrows_coder *coder, size_t n);
NARROWS_API size_t narrows_state_bytes(const narrows_coder *coder, size_t n);
NARROWS_API size_t narrows_work_bytes(const narrows_coder *coder, size_t n);

NARROWS_API int narrows_encode(const narrows_coder *coder, void *payload, size_t *nbytes, const float *values, size_t n,
                               void *state, void *work);
/* values = decoded, and values += decoded. */
NARROWS_API int narrows_decode(const narrows_coder *coder, float *values, size_t n, const void *payload, size_t nbytes,
                               void *work);
NARROWS_API int narrows_decode_add(const narrows_coder *coder, float *values, size_t n, const void *payload,
                                   size_t nbytes, void *work);
/* The sum of 'count' payloads of 'nbytes' each, 'stride' bytes (a multiple of 64) apart, as one payload; codecs of
 * NARROWS_SCATTERED. */
NARROWS_API int narrows_reduce(const narrows_coder *coder, void *payload, size_t *nsum, const void *payloads,
                               size_t stride, size_t nbytes, size_t count, size_t n, void *work);

/* Of NARROWS_REDUCIBLE: a payload of 'nbytes' begins with *count numbers, which are added up; the bytes behind them are
 * the same for all workers. NARROWS_NO_NUMBERS for other codecs, whose payloads are gathered. */
NARROWS_API narrows_number narrows_payload_numbers(const narrows_coder *coder, size_t nbytes, size_t *count);
/* Of NARROWS_REDUCIBLE_TWICE: rounds 0, 1 and 2 of a step, with the same payload, values and state. After each the
 * caller replaces the fp32 numbers in the *nbytes bytes from payload + *first on by the mean of all workers'; *nbytes
 * may be 0. After round 2 the payload is whole and every worker's: it decodes to the mean. NARROWS_ABSENT for other
 * codecs. */
NARROWS_API int narrows_round(const narrows_coder *coder, int round, void *payload, size_t *first, size_t *nbytes,
                              const float *values, size_t n, void *state);

/* The same for a coder chosen with NARROWS_DEVICE: every buffer, *nbytes and *error (a narrows_error) included, is in
 * CUDA memory, and the work is queued on 'stream' (a cudaStream_t; NULL: the default stream). Returns before the work
 * is done; what is returned is about the arguments. NARROWS_ABSENT in a library that was built without CUDA. */
NARROWS_API int narrows_encode_on(const narrows_coder *coder, void *payload, uint64_t *nbytes, const float *values,
                                  size_t n, void *state, void *work, void *stream);
NARROWS_API int narrows_decode_on(const narrows_coder *coder, float *values, size_t n, int add, const void *payload,
                                  size_t nbytes, void *work, int *error, void *stream);

/* A stream's bytes: header and payload. */
NARROWS_API size_t narrows_stream_bound(const narrows_coder *coder, size_t n);
NARROWS_API int narrows_seal(const narrows_coder *coder, void *stream, size_t *nbytes, const float *values, size_t n,
                             void *state, void *work);
/* Check a stream and choose the coder that its header names, with *n values and the payload inside of 'stream'. */
NARROWS_API int narrows_open(narrows_coder *coder, size_t *n, const void **payload, size_t *npayload,
                             const void *stream, size_t nbytes, unsigned flags);

#ifdef __cplusplus
}
#endif

#endif
