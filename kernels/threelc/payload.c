/* payload.c - reading a payload: what is believed of it, and its chunks one after another. */
#include "kernels/threelc/host.h"
#include "kernels/zre/zre_lane.h"

/* Bytes that chunk c has in the payload. */
static size_t length_of(const struct threelc_source *src, size_t c)
{
    return src->form == THREELC_QUARTIC ? threelc_chunk(&src->shape, c).count : threelc_get(src->payload + 4 + 4 * c);
}

size_t threelc_chunk_at(const struct threelc_source *src, size_t c)
{
    size_t at = threelc_head(&src->shape, src->form);

    if (src->form == THREELC_QUARTIC)
        return at + c * THREELC_CHUNK;
    for (size_t i = 0; i < c; i++)
        at += length_of(src, i);
    return at;
}

/* The quartic bytes of chunk c, whose encoded bytes stand at 'from': there, or decoded to 'space'. */
static const uint8_t *quartic_of(const struct threelc_ops *ops, const struct threelc_source *src, size_t c,
                                 const uint8_t *from, uint8_t *space)
{
    if (src->form == THREELC_QUARTIC)
        return from;
    ops->decode(space, from, length_of(src, c));
    return space;
}

/* Every length is possible, and together they fill the payload. */
static enum codec_error check_table(const struct threelc_source *src)
{
    size_t left = src->nbytes - threelc_head(&src->shape, src->form);

    for (size_t c = 0; c < src->shape.chunks; c++) {
        size_t length = length_of(src, c);

        if (!length || length > threelc_chunk(&src->shape, c).count)
            return CODEC_CONTENT;
        if (length > left)
            return CODEC_SHORT;
        left -= length;
    }
    return left ? CODEC_LONG : CODEC_OK;
}

/* The padding that stands in chunk c, whose encoded bytes start at payload + at. */
static enum codec_error check_padding_in(const struct threelc_ops *ops, const struct threelc_source *src, size_t c,
                                         size_t at)
{
    size_t n = src->shape.n, bytes = src->shape.bytes, first = c * THREELC_CHUNK;
    const uint8_t *quartic;
    _Alignas(64) uint8_t space[THREELC_PLACE];

    if (!threelc_check_chunks(ops, src, c, c + 1, at))
        return CODEC_CONTENT;
    quartic = quartic_of(ops, src, c, src->payload + at, space);
    for (size_t i = n; i < 5 * bytes; i++)
        if (i % bytes >= first && i % bytes - first < threelc_chunk(&src->shape, c).count &&
            threelc_digit_lane(quartic[i % bytes - first], (int)(i / bytes)))
            return CODEC_CONTENT;
    return CODEC_OK;
}

/* The padding ends the last part, so it stands in the last bytes, at most four: in the last chunk, and in the one
 * before where the last is shorter than that. */
static enum codec_error check_padding(const struct threelc_ops *ops, const struct threelc_source *src)
{
    size_t at = src->nbytes, padding = 5 * src->shape.bytes - src->shape.n, seen = 0;

    for (size_t c = src->shape.chunks; c-- > 0 && seen < padding;) {
        enum codec_error error = check_padding_in(ops, src, c, at -= length_of(src, c));

        if (error)
            return error;
        seen += threelc_chunk(&src->shape, c).count;
    }
    return CODEC_OK;
}

enum codec_error threelc_check_head(const struct threelc_ops *ops, struct threelc_source *src)
{
    enum codec_error error;
    uint32_t bits;

    if (!src->shape.n)
        return src->nbytes ? CODEC_LONG : CODEC_OK;
    if (src->nbytes < threelc_head(&src->shape, src->form))
        return CODEC_SHORT;
    bits = threelc_get(src->payload);
    if (bits >= 0x7f800000) /* infinite, not a number, or negative */
        return CODEC_CONTENT;
    memcpy(&src->scale, &bits, sizeof(bits));
    error = check_table(src);
    return error == CODEC_OK ? check_padding(ops, src) : error;
}

bool threelc_check_chunks(const struct threelc_ops *ops, const struct threelc_source *src, size_t from, size_t to,
                          size_t at)
{
    for (size_t c = from; c < to; c++) {
        size_t length = length_of(src, c);

        /* Each quartic byte stands for one, and the others for more. */
        if (ops->expanded(src->payload + at, length) != threelc_chunk(&src->shape, c).count)
            return 0;
        at += length;
    }
    return 1;
}

void threelc_decode_chunks(const struct threelc_ops *ops, const struct threelc_source *src, size_t from, size_t to,
                           size_t at)
{
    bool stream = src->shape.n >= THREELC_STREAM_MIN;

    for (size_t c = from; c < to; c++) {
        struct threelc_part part = threelc_chunk(&src->shape, c);
        struct threelc_coded coded = { src->payload + at, length_of(src, c), src->form != THREELC_QUARTIC };

        ops->spread(src->values, &part, &coded, src->scale, src->into, stream);
        at += coded.nbytes;
    }
}
