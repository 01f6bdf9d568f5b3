/* stream_fuzz.c - libFuzzer's entry to the header of a stream: any bytes, as they are and, after a first byte that is
 * odd, with the checksum put right, which no fuzzer would find by itself. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/codec/stream.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds, const char *why)
{
    if (!holds) {
        fprintf(stderr, "stream: %s\n", why);
        abort();
    }
}

/* Writes the checksum that belongs to the other bytes of the header. */
static void seal(uint8_t *bytes, size_t nbytes)
{
    struct codec id = { .id = (uint16_t)(bytes[6] | bytes[7] << 8) };
    struct codec_params p;
    uint64_t n;

    memcpy(p.value, bytes + 8, sizeof(p.value));
    memcpy(&n, bytes + 40, sizeof(n));
    stream_seal(bytes, &id, &p, n, nbytes - STREAM_HEADER);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct stream s, untouched;
    uint8_t *bytes;
    enum codec_error error;
    int which;

    if (!size)
        return 0;
    bytes = malloc(size - 1);
    check(bytes || size == 1, "no memory");
    memcpy(bytes, data + 1, size - 1);
    if (data[0] % 2 && size - 1 >= STREAM_HEADER)
        seal(bytes, size - 1);
    memset(&s, 0x5e, sizeof(s));
    untouched = s;
    error = stream_open(&s, bytes, size - 1);
    check(codec_error_text(error) != codec_error_text((enum codec_error)99), "an error without a text");
    if (error) {
        check(!memcmp(&s, &untouched, sizeof(s)), "an error changed the result");
    } else {
        check(s.payload == bytes + STREAM_HEADER && s.nbytes == size - 1 - STREAM_HEADER, "not the payload");
        check(s.n <= CODEC_MAX_VALUES, "more values than there can be");
        check(codec_find(s.codec->name) == s.codec, "not a codec of the table");
        check(codec_check(s.codec, &s.params, &which) == CODEC_OK, "parameters out of range");
        /* The sizes that a receiver would ask for do not overflow. */
        check(s.codec->payload_bound(s.n, &s.params) < SIZE_MAX / 2 &&
                  s.codec->work_size(s.n, &s.params) < SIZE_MAX / 2,
              "a size overflows");
    }
    free(bytes);
    return 0;
}
