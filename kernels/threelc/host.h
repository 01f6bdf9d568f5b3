/* host.h - how the host implementations fit together; for kernels/threelc and its tests.
 * An ISA file has the loops over values (struct threelc_ops). drive.c combines them for one thread, openmp.c for many;
 * what both share is here. */
#ifndef NARROWS_KERNELS_THREELC_HOST_H
#define NARROWS_KERNELS_THREELC_HOST_H

#include "kernels/threelc/threelc.h"
#include "kernels/threelc/threelc_lane.h"
#include "kernels/zre/zre.h"

/* 1 MiB of values, half of a current core's second-level cache: larger results are written past the caches. */
enum { THREELC_STREAM_MIN = 1 << 18 };

enum { THREELC_PLACE = THREELC_CHUNK + ZRE_SLACK };

struct threelc_shape {
    size_t n, bytes, chunks; /* values, quartic bytes, their chunks */
};

struct threelc_level {
    float scale, half; /* M, and threelc_half_lane of it */
};

/* Quartic bytes from .. from + count of a tensor, which is cut in the same way for both directions. */
struct threelc_part {
    const struct threelc_shape *shape;
    size_t from, count;
};

/* e = sum of e and g, and the largest magnitude of it. */
typedef float threelc_accumulate_fn(float *e, const float *g, size_t n);
/* The largest distance of the model from what was pulled. */
typedef float threelc_distance_fn(const float *model, const float *pulled, size_t n);
/* The part's bytes to quartic[0 ..], and the state's values updated. Model NULL: a push. */
typedef void threelc_quantise_fn(uint8_t *quartic, float *state, const float *model, const struct threelc_part *part,
                                 const struct threelc_level *level);
/* A chunk of a payload that has been checked. */
struct threelc_coded {
    const uint8_t *from;
    size_t nbytes;
    bool runs; /* run-length encoded; else plain quartic bytes */
};
/* The part's values from its bytes. 'stream': CODEC_STORE may write past the caches. */
typedef void threelc_spread_fn(float *values, const struct threelc_part *part, const struct threelc_coded *coded,
                               float scale, enum codec_into into, bool stream);

struct threelc_ops {
    const char *name;
    threelc_accumulate_fn *accumulate;
    threelc_distance_fn *distance;
    threelc_quantise_fn *quantise;
    threelc_spread_fn *spread;
    zre_encode_fn *encode;
    zre_decode_fn *decode;
    zre_expanded_fn *expanded;
};

extern const struct threelc_ops threelc_scalar, threelc_avx2, threelc_avx512;

threelc_accumulate_fn threelc_accumulate_scalar;
threelc_distance_fn threelc_distance_scalar;
threelc_quantise_fn threelc_quantise_scalar;
threelc_spread_fn threelc_spread_avx512;
/* From quartic bytes. */
void threelc_spread_bytes_scalar(float *values, const struct threelc_part *part, const uint8_t *quartic, float scale,
                                 enum codec_into into);

enum threelc_form {
    THREELC_RUNS,    /* "3lc" */
    THREELC_QUARTIC, /* "3lc-quartic" */
};

/* A tensor to compress. */
struct threelc_job {
    enum threelc_form form;
    bool pull; /* values are the model */
    uint8_t *payload;
    const float *values;
    float *state;
    uint8_t *work; /* THREELC_PLACE bytes for each chunk; only for many threads and runs */
    float s;
    struct threelc_shape shape;
};

/* A payload to decompress. */
struct threelc_source {
    enum threelc_form form;
    const uint8_t *payload;
    size_t nbytes;
    float *values;
    enum codec_into into;
    float scale;
    struct threelc_shape shape;
};

uint64_t threelc_compress(const struct threelc_ops *ops, const struct threelc_job *job);
enum codec_error threelc_decompress(const struct threelc_ops *ops, struct threelc_source *src);
/* The same, over all threads. */
uint64_t threelc_compress_split(const struct threelc_ops *ops, const struct threelc_job *job);
enum codec_error threelc_decompress_split(const struct threelc_ops *ops, struct threelc_source *src);

struct threelc_shape threelc_shape_of(size_t n);
/* Where the encoded chunks, or the quartic bytes, start in a payload. */
size_t threelc_head(const struct threelc_shape *s, enum threelc_form form);
/* Chunk 'c' as a part. */
struct threelc_part threelc_chunk(const struct threelc_shape *s, size_t c);
void threelc_put(uint8_t *to, uint32_t word);
uint32_t threelc_get(const uint8_t *from);

/* Set M; returns what step 3 needs. */
struct threelc_level threelc_set_scale(const struct threelc_job *job, float max);
/* One chunk: quantised, encoded to 'to' (with slack). Returns the bytes. */
size_t threelc_encode_chunk(const struct threelc_ops *ops, const struct threelc_job *job,
                            const struct threelc_level *level, size_t c, uint8_t *to);

/* Everything but the encoded bytes: sizes, M (kept in src), the table, the padding. */
enum codec_error threelc_check_head(const struct threelc_ops *ops, struct threelc_source *src);
/* Chunks from .. to - 1, which start at payload + at: are their contents valid? */
bool threelc_check_chunks(const struct threelc_ops *ops, const struct threelc_source *src, size_t from, size_t to,
                          size_t at);
void threelc_decode_chunks(const struct threelc_ops *ops, const struct threelc_source *src, size_t from, size_t to,
                           size_t at);
/* Where chunk c starts in the payload. */
size_t threelc_chunk_at(const struct threelc_source *src, size_t c);

/* How many of a part's bytes, from its first on, have all five digits from values: all but the last four of a
 * tensor. */
static inline size_t threelc_full(const struct threelc_part *part)
{
    size_t full = part->shape->bytes > 4 ? part->shape->bytes - 4 : 0;

    return part->from >= full ? 0 : part->from + part->count <= full ? part->count : full - part->from;
}

/* The part from its byte 'skip' on. */
static inline struct threelc_part threelc_rest(const struct threelc_part *part, size_t skip)
{
    struct threelc_part rest = { part->shape, part->from + skip, part->count - skip };

    return rest;
}

#endif
