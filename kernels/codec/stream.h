/* stream.h - a payload with the header that its receiver checks: 64 bytes, little-endian, then the payload:
 *      0  4  magic "NRWS"
 *      4  2  version, 1
 *      6  2  codec.id
 *      8 32  the four parameters, binary64
 *     40  8  n, the number of values
 *     48  8  bytes of payload
 *     56  8  XXH3 (64 bits) of the 56 bytes above and the payload: XXH3 of the payload, seeded with XXH3 of those 56
 * Errors     an enum codec_error; nothing is read outside of bytes[0 .. nbytes). */
#ifndef NARROWS_KERNELS_CODEC_STREAM_H
#define NARROWS_KERNELS_CODEC_STREAM_H

#include "kernels/codec/codec.h"

enum { STREAM_HEADER = 64 };

struct stream {
    const struct codec *codec;
    struct codec_params params;
    size_t n;
    const uint8_t *payload;
    size_t nbytes; /* of the payload */
};

/* Write the header in front of the payload, which is at bytes + STREAM_HEADER. Returns the size of the whole stream. */
size_t stream_seal(uint8_t *bytes, const struct codec *c, const struct codec_params *p, size_t n, size_t nbytes);

/* Read and check a header and its checksum. The codec checks the payload itself. On an error *s is unchanged. */
enum codec_error stream_open(struct stream *s, const uint8_t *bytes, size_t nbytes);

/* The same of a codec in this table, which ends with NULL, instead of in 'codecs'. */
enum codec_error stream_open_in(struct stream *s, const struct codec *const *table, const uint8_t *bytes,
                                size_t nbytes);

/* The value of bytes 56 to 63 of a header, for callers that build streams by hand, as tests do. */
uint64_t stream_checksum(const uint8_t *header, const uint8_t *payload, size_t nbytes);

const char *codec_error_text(enum codec_error error);

#endif
