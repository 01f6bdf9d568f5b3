/* zre_fuzz.c - libFuzzer's entry to the zero-run coder: any bytes to decode, and what they decode to encoded again.
 * Sources have exactly their size, results ZRE_SLACK bytes more. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/zre/zre.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Bytes before a source, so that it stands at any alignment. */
enum { OFFSETS = 64, LARGEST = 1 << 12 };

static void check(bool holds, const char *row, const char *why)
{
    if (!holds) {
        fprintf(stderr, "zre, %s: %s\n", row, why);
        abort();
    }
}

static uint8_t *buffer(size_t nbytes)
{
    uint8_t *p = malloc(nbytes);

    check(p || !nbytes, "-", "no memory");
    return p;
}

/* The result of a row, in memory that the caller frees. */
static uint8_t *decode(const struct zre_impl *im, const uint8_t *src, size_t n, size_t *nresult)
{
    size_t expanded = im->expanded(src, n);
    uint8_t *dst = buffer(expanded + ZRE_SLACK);

    check(expanded <= 14 * n, im->impl.name, "more than 14 bytes for one");
    *nresult = im->decode(dst, src, n);
    check(*nresult == expanded, im->impl.name, "decodes to another number of bytes than announced");
    return dst;
}

static uint8_t *encode(const struct zre_impl *im, const uint8_t *src, size_t n, size_t *nresult)
{
    uint8_t *dst = buffer(n + ZRE_SLACK);

    *nresult = im->encode(dst, src, n);
    check(*nresult <= n, im->impl.name, "encoding made it longer");
    return dst;
}

/* Does a row agree with the reference, and what it encodes decode to the same? */
static void check_row(const struct zre_impl *im, const uint8_t *src, size_t n, const uint8_t *want, size_t nwant,
                      const uint8_t *shorter, size_t nshorter)
{
    size_t nplain, nencoded, nback;
    uint8_t *plain = decode(im, src, n, &nplain), *encoded, *back;

    check(nplain == nwant && !memcmp(plain, want, nwant), im->impl.name, "decodes to other bytes");
    plain = realloc(plain, nplain ? nplain : 1); /* a source again, of exactly its size */
    check(plain != NULL, "-", "no memory");
    encoded = encode(im, plain, nplain, &nencoded);
    check(nencoded == nshorter && !memcmp(encoded, shorter, nshorter), im->impl.name, "encodes to other bytes");
    back = decode(im, encoded, nencoded, &nback);
    check(nback == nplain && !memcmp(back, plain, nplain), im->impl.name, "does not come back");
    free(back);
    free(encoded);
    free(plain);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct zre_impl *reference = zre_impls;
    size_t offset, n, nwant, nshorter;
    uint8_t *all, *want, *shorter;

    if (!size || size > LARGEST)
        return 0;
    while (reference[1].impl.name)
        reference++;
    offset = data[0] % OFFSETS;
    n = size - 1;
    all = buffer(offset + n);
    if (n)
        memcpy(all + offset, data + 1, n);
    want = decode(reference, all + offset, n, &nwant);
    shorter = encode(reference, want, nwant, &nshorter);
    check(nshorter <= n, reference->impl.name, "the encoder did not find the shorter form");
    for (const struct zre_impl *im = zre_impls; im->impl.name; im++)
        if (im->impl.where == IMPL_HOST && im->impl.usable())
            check_row(im, all + offset, n, want, nwant, shorter, nshorter);
    free(shorter);
    free(want);
    free(all);
    return 0;
}
