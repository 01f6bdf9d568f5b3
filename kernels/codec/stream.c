#include "kernels/codec/stream.h"

#include <string.h>

#define XXH_INLINE_ALL
#define XXH_NO_STREAM
#include <xxhash.h>

static const char magic[4] = { 'N', 'R', 'W', 'S' };
enum { VERSION = 1, AT_VERSION = 4, AT_CODEC = 6, AT_PARAMS = 8, AT_COUNT = 40, AT_PAYLOAD = 48, AT_CHECKSUM = 56 };

static void put(uint8_t *to, uint64_t value, int nbytes)
{
    for (int i = 0; i < nbytes; i++)
        to[i] = (uint8_t)(value >> (8 * i));
}

static uint64_t get(const uint8_t *from, int nbytes)
{
    uint64_t value = 0;

    for (int i = 0; i < nbytes; i++)
        value |= (uint64_t)from[i] << (8 * i);
    return value;
}

uint64_t stream_checksum(const uint8_t *header, const uint8_t *payload, size_t nbytes)
{
    return XXH3_64bits_withSeed(payload, nbytes, XXH3_64bits(header, AT_CHECKSUM));
}

size_t stream_seal(uint8_t *bytes, const struct codec *c, const struct codec_params *p, size_t n, size_t nbytes)
{
    memcpy(bytes, magic, sizeof(magic));
    put(bytes + AT_VERSION, VERSION, 2);
    put(bytes + AT_CODEC, c->id, 2);
    for (int i = 0; i < CODEC_PARAMS; i++) {
        uint64_t bits;

        memcpy(&bits, &p->value[i], sizeof(bits));
        put(bytes + AT_PARAMS + 8 * i, bits, 8);
    }
    put(bytes + AT_COUNT, n, 8);
    put(bytes + AT_PAYLOAD, nbytes, 8);
    put(bytes + AT_CHECKSUM, stream_checksum(bytes, bytes + STREAM_HEADER, nbytes), 8);
    return STREAM_HEADER + nbytes;
}

static const struct codec *codec_of(const struct codec *const *c, unsigned id)
{
    while (*c && (*c)->id != id)
        c++;
    return *c;
}

static enum codec_error check_params(const struct stream *s)
{
    int which;

    return codec_check(s->codec, &s->params, &which);
}

enum codec_error stream_open(struct stream *s, const uint8_t *bytes, size_t nbytes)
{
    return stream_open_in(s, codecs, bytes, nbytes);
}

enum codec_error stream_open_in(struct stream *s, const struct codec *const *table, const uint8_t *bytes, size_t nbytes)
{
    struct stream found = { 0 };
    uint64_t n, announced;

    if (nbytes < STREAM_HEADER)
        return CODEC_SHORT;
    if (memcmp(bytes, magic, sizeof(magic)) != 0 || get(bytes + AT_VERSION, 2) != VERSION)
        return CODEC_FOREIGN;
    announced = get(bytes + AT_PAYLOAD, 8);
    if (announced != nbytes - STREAM_HEADER)
        return announced > nbytes - STREAM_HEADER ? CODEC_SHORT : CODEC_LONG;
    if (get(bytes + AT_CHECKSUM, 8) != stream_checksum(bytes, bytes + STREAM_HEADER, announced))
        return CODEC_CHECKSUM;
    n = get(bytes + AT_COUNT, 8);
    if (n > CODEC_MAX_VALUES)
        return CODEC_COUNT;
    found.codec = codec_of(table, (unsigned)get(bytes + AT_CODEC, 2));
    if (!found.codec)
        return CODEC_UNKNOWN;
    for (int i = 0; i < CODEC_PARAMS; i++) {
        uint64_t bits = get(bytes + AT_PARAMS + 8 * i, 8);

        memcpy(&found.params.value[i], &bits, sizeof(bits));
    }
    found.n = n;
    found.payload = bytes + STREAM_HEADER;
    found.nbytes = announced;
    if (check_params(&found))
        return CODEC_PARAMETER;
    *s = found;
    return CODEC_OK;
}

const char *codec_error_text(enum codec_error error)
{
    switch (error) {
    case CODEC_OK: return "no error";
    case CODEC_SHORT: return "the stream ends before what it announces";
    case CODEC_LONG: return "bytes are left over behind what the stream announces";
    case CODEC_FOREIGN: return "not a compressed stream of this program, or one of a later version";
    case CODEC_UNKNOWN: return "compressed by a codec that is not known here, such as a plug-in's that is not loaded";
    case CODEC_PARAMETER: return "a parameter of the codec is outside of its range";
    case CODEC_COUNT: return "not the expected number of values";
    case CODEC_CHECKSUM: return "the checksum does not match: damaged on the way";
    case CODEC_CONTENT: return "the payload is not one that this codec writes";
    }
    return "unknown error";
}
