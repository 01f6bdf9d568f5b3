/* drive.c - a tensor on one thread, and the pieces of it that openmp.c divides. */
#include "kernels/threelc/host.h"

struct threelc_shape threelc_shape_of(size_t n)
{
    struct threelc_shape s = { n, threelc_bytes_lane(n), 0 };

    s.chunks = (s.bytes + THREELC_CHUNK - 1) / THREELC_CHUNK;
    return s;
}

size_t threelc_head(const struct threelc_shape *s, enum threelc_form form)
{
    return form == THREELC_QUARTIC ? 4 : 4 + 4 * s->chunks;
}

struct threelc_part threelc_chunk(const struct threelc_shape *s, size_t c)
{
    size_t from = c * THREELC_CHUNK, left = s->bytes - from;
    struct threelc_part part = { s, from, left < THREELC_CHUNK ? left : THREELC_CHUNK };

    return part;
}

void threelc_put(uint8_t *to, uint32_t word)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(word >> (8 * i));
}

uint32_t threelc_get(const uint8_t *from)
{
    uint32_t word = 0;

    for (int i = 0; i < 4; i++)
        word |= (uint32_t)from[i] << (8 * i);
    return word;
}

struct threelc_level threelc_set_scale(const struct threelc_job *job, float max)
{
    struct threelc_level level = { threelc_scale_lane(max, job->s), 0 };
    uint32_t bits;

    level.half = threelc_half_lane(level.scale);
    memcpy(&bits, &level.scale, sizeof(bits));
    threelc_put(job->payload, bits);
    return level;
}

/* The quartic bytes stay in the first-level cache between the two steps. */
size_t threelc_encode_chunk(const struct threelc_ops *ops, const struct threelc_job *job,
                            const struct threelc_level *level, size_t c, uint8_t *to)
{
    struct threelc_part part = threelc_chunk(&job->shape, c);
    const float *model = job->pull ? job->values : NULL;
    _Alignas(64) uint8_t quartic[THREELC_CHUNK];

    if (job->form == THREELC_QUARTIC) {
        ops->quantise(to, job->state, model, &part, level);
        return part.count;
    }
    ops->quantise(quartic, job->state, model, &part, level);
    return ops->encode(to, quartic, part.count);
}

uint64_t threelc_compress(const struct threelc_ops *ops, const struct threelc_job *job)
{
    size_t n = job->shape.n, at = threelc_head(&job->shape, job->form);
    struct threelc_level level;

    if (!n)
        return 0;
    level = threelc_set_scale(job, job->pull ? ops->distance(job->values, job->state, n)
                                             : ops->accumulate(job->state, job->values, n));
    for (size_t c = 0; c < job->shape.chunks; c++) {
        size_t length = threelc_encode_chunk(ops, job, &level, c, job->payload + at);

        if (job->form != THREELC_QUARTIC)
            threelc_put(job->payload + 4 + 4 * c, (uint32_t)length);
        at += length;
    }
    return at;
}

enum codec_error threelc_decompress(const struct threelc_ops *ops, struct threelc_source *src)
{
    size_t chunks = src->shape.chunks, at = threelc_head(&src->shape, src->form);
    enum codec_error error = threelc_check_head(ops, src);

    if (error != CODEC_OK || !src->shape.n)
        return error;
    if (!threelc_check_chunks(ops, src, 0, chunks, at))
        return CODEC_CONTENT;
    threelc_decode_chunks(ops, src, 0, chunks, at);
    return CODEC_OK;
}
