/* zre.h - zero-run encoding of quartic bytes (3LC, arXiv 1802.07389, section 3.3). Quartic bytes are 0..242, and 121
 * stands for five zeros. From the left, each run of 121 is cut into pieces of 14 and a rest; a piece of k = 2..14 bytes
 * becomes the one byte 243 + (k - 2), a single 121 and every other byte stand for themselves.
 * Decoding   accepts every byte: below 243 itself, from 243 on b - 241 times 121. What the encoder would have written
 *            differently (a 121 after a 121, a short piece before another) is accepted too.
 * Shapes     'n' bytes in order, any alignment; at most 2^40. Encoding never makes them more. Decoding makes at most 14
 *            times as many; zre_expanded_fn says how many without writing anything.
 * Slack      dst has ZRE_SLACK bytes more behind its result; what they hold afterwards is not specified. Nothing is
 *            written behind those, nothing is read outside src[0 .. n). The two sides must not overlap.
 * Input      the encoder's: bytes above 242 are passed like literals, and will not come back as themselves.
 * Threads    the caller's. Large inputs are cut into pieces that are encoded on their own; see kernels/threelc.
 * Errors     none: every input is valid. */
#ifndef NARROWS_KERNELS_ZRE_H
#define NARROWS_KERNELS_ZRE_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/shared/impl.h"

enum { ZRE_SLACK = 128 };

/* Both return the bytes of the result. */
typedef size_t zre_encode_fn(uint8_t *dst, const uint8_t *src, size_t n);
typedef size_t zre_decode_fn(uint8_t *dst, const uint8_t *src, size_t n);
/* What decoding would return. */
typedef size_t zre_expanded_fn(const uint8_t *src, size_t n);

struct zre_impl {
    struct impl impl;
    zre_encode_fn *encode;
    zre_decode_fn *decode;
    zre_expanded_fn *expanded;
};

/* Best first, the reference last, then a row with a null name. */
extern const struct zre_impl zre_impls[];

zre_encode_fn zre_encode_scalar;
zre_decode_fn zre_decode_scalar;
zre_expanded_fn zre_expanded_scalar;
/* In x86-64 builds. */
zre_encode_fn zre_encode_avx2, zre_encode_avx512;
zre_decode_fn zre_decode_avx2, zre_decode_avx512;
zre_expanded_fn zre_expanded_avx2, zre_expanded_avx512;

#endif
