/* host.h - how the host implementations fit together; for kernels/sparse, kernels that build on it, and tests.
 * Block      32768 values. A block is masked and compacted into scratch that stays in the second-level cache; then its
 *            place in the payload is known and it is copied there. So one pass over memory serves any number of
 *            threads, and what is written last can bypass the caches.
 * Walks      a block is eight walks of 4096 values, visited in turns: see kernels/copy/order.h. */
#ifndef NARROWS_KERNELS_SPARSE_HOST_H
#define NARROWS_KERNELS_SPARSE_HOST_H

#include "kernels/sparse/sparse.h"

enum {
    SPARSE_WALKS = 8,
    SPARSE_WALK = 4096,
    SPARSE_BLOCK = SPARSE_WALKS * SPARSE_WALK,
    SPARSE_SLACK = 16,           /* a whole register may be stored behind the last word that counts */
    SPARSE_STREAM_MIN = 1 << 18, /* values; from 1 MiB on results bypass the caches */
};

struct sparse_scratch {
    _Alignas(64) uint64_t bitmap[SPARSE_BLOCK / 64];
    _Alignas(64) uint32_t count[SPARSE_WALKS];
    _Alignas(64) uint32_t values[SPARSE_WALKS][SPARSE_WALK + SPARSE_SLACK];
    _Alignas(64) uint32_t index[SPARSE_WALKS][SPARSE_WALK + SPARSE_SLACK];
};

enum { SPARSE_ADD = 1, SPARSE_CLEAR = 2, SPARSE_INDEX = 4 };

/* n <= SPARSE_BLOCK values into scratch: bits, values and, with SPARSE_INDEX, indices (base + place in the block) of
 * those of magnitude >= threshold; the bitmap gets whole words, 'count' all eight counts. SPARSE_ADD: error += change
 * first. SPARSE_CLEAR: what is kept becomes +0. Without both, 'error' is only read. */
typedef void sparse_block_fn(struct sparse_scratch *s, float *error, const float *change, size_t n, uint32_t threshold,
                             uint64_t base, unsigned flags);

/* Copy; 'stream' asks for stores that bypass the caches. A thread that placed calls 'fence' before others read. */
typedef void sparse_place_fn(void *dst, const void *src, size_t nbytes, bool stream);
typedef void sparse_fence_fn(void);

/* Bits set in so many words. */
typedef uint64_t sparse_count_fn(const uint64_t *words, size_t nwords);

/* n <= SPARSE_BLOCK values from their bits and the words sent. Nothing is read behind the last word sent. */
typedef void sparse_spread_fn(float *values, size_t n, enum codec_into into, const uint64_t *bitmap,
                              const uint8_t *words, bool stream);

struct sparse_isa {
    sparse_block_fn *block;
    sparse_place_fn *place;
    sparse_fence_fn *fence;
    sparse_count_fn *count;
    sparse_spread_fn *spread;
};
extern const struct sparse_isa sparse_scalar, sparse_avx2, sparse_avx512;

/* At most 64 values of a block from 'at' on, the definition; 'flags' as above. */
void sparse_group_scalar(struct sparse_scratch *s, float *error, const float *change, size_t at, size_t n,
                         struct sparse_keep keep, uint64_t base, unsigned flags);
void sparse_spread_group_scalar(float *values, size_t n, enum codec_into into, uint64_t bits, const uint8_t *words);

/* Shared by all threads of a compression. */
struct sparse_task {
    const struct sparse_isa *isa;
    uint8_t *payload;
    float *error;
    const float *change;
    size_t n;
    struct sparse_keep keep;
    uint64_t most_indices; /* more than so many values are sent with a bitmap; 0: never indices */
    uint32_t *index;       /* in work */
    struct sparse_scratch *scratch;
};

struct sparse_task sparse_begin(const struct sparse_isa *isa, uint8_t *payload, float *error, const float *change,
                                size_t n, const struct sparse_keep *keep, enum sparse_form form, void *work);
size_t sparse_blocks(size_t n);
/* How many threads take so many blocks: at least one, and at most SPARSE_THREADS. */
int sparse_threads(size_t blocks);
/* Values in block b. */
size_t sparse_block_size(size_t n, size_t b);
/* The progress of a thread. It records indices as long as the payload may still have the index form. */
struct sparse_course {
    uint64_t before; /* values sent by the blocks before its next one, at least */
    bool indices;
};
/* Mask block b into s; returns how many values it sends. */
uint64_t sparse_mask_block(const struct sparse_task *t, struct sparse_scratch *s, size_t b, struct sparse_course *c);
void sparse_prefetch_block(const struct sparse_task *t, size_t b);
/* Put block b's results behind the 'at' values of the blocks before. */
void sparse_place_block(const struct sparse_task *t, const struct sparse_scratch *s, size_t b, uint64_t at,
                        struct sparse_course *c);
/* The header and, if there are few values, indices in the bitmap's place; 'noted': every thread recorded all of its
 * indices. Returns the payload's size. */
uint64_t sparse_end(const struct sparse_task *t, uint64_t count, bool noted);

/* Mask and place all blocks, on this thread or on all. */
uint64_t sparse_compress_serial(const struct sparse_task *t);
uint64_t sparse_compress_split(const struct sparse_task *t);

/* Only error += change, with one scratch or one for each thread. */
void sparse_accumulate_serial(const struct sparse_isa *isa, float *error, const float *change, size_t n,
                              struct sparse_scratch *s);
void sparse_accumulate_split(const struct sparse_isa *isa, float *error, const float *change, size_t n,
                             struct sparse_scratch *s);

/* A payload that was checked. first[b]: rank of block b's first value sent; first[blocks] is the count. */
struct sparse_parts {
    uint64_t count;
    bool indices;
    const uint8_t *places, *words;
    uint64_t *first;
};
enum codec_error sparse_open(const struct sparse_isa *isa, struct sparse_parts *p, size_t n, const uint8_t *payload,
                             size_t nbytes, enum sparse_form form, void *work);
void sparse_spread_block(const struct sparse_isa *isa, const struct sparse_parts *p, float *values, size_t n,
                         enum codec_into into, size_t b);
void sparse_spread_serial(const struct sparse_isa *isa, const struct sparse_parts *p, float *values, size_t n,
                          enum codec_into into);
void sparse_spread_split(const struct sparse_isa *isa, const struct sparse_parts *p, float *values, size_t n,
                         enum codec_into into);

/* Both, as the function of a row. */
enum codec_error sparse_expand(const struct impl *im, const struct sparse_isa *isa, float *values, size_t n,
                               enum codec_into into, const uint8_t *payload, size_t nbytes, enum sparse_form form,
                               void *work);

#endif
