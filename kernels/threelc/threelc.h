/* threelc.h - 3LC: error accumulation, 3-value quantization, quartic and zero-run encoding (arXiv 1802.07389, section
 * 3). Compressing a change g (an fp32 tensor of n values) with the state e (the changes not sent so far, fp32, n
 * values):
 *      1   t = e + g in fp32; a sum that is not finite becomes +0: it is dropped, and affects no other value and no
 *          later step
 *      2   M = max |t| * s in fp32, at most the largest finite fp32; s, the sparsity multiplier, rounded to fp32
 *      3   q = round(t / M), a half to even, without a division's rounding: 1 where 2 t > M, -1 where -2 t > M, else 0
 *          (all t = 0: M = 0 and all q = 0)
 *      a,b e = t - M q, exact in fp32 for every t; where q = 0 it is t itself, bit for bit
 *      4   the digits q + 1 and up to four digits 0 as padding are cut into five equal parts p0 .. p4 of B = ceil(n /
 *          5) digits; byte i is 81 p0[i] + 27 p1[i] + 9 p2[i] + 3 p3[i] + p4[i]
 *      5   zero-run encoding (kernels/zre) of pieces of THREELC_CHUNK quartic bytes
 * Steps 1 and 2 need the whole tensor before step 3 may start: two passes, the first reads 8 bytes a value and writes
 * 4, the second reads 4 and writes 4 and the result.
 * Payload    little-endian; nothing at all for n = 0, else
 *                  0            4   M, fp32
 *                  4            4c  c = ceil(B / THREELC_CHUNK) encoded lengths in bytes, u32
 *                  4 + 4c           the encoded chunks
 *            No run crosses the end of a chunk, so chunks are encoded and decoded independently. That costs 4 bytes in
 *            16384 quartic ones, 0.024 %; of a tensor of zeros 0.34 % (a ratio of 279 instead of 280). "3lc-quartic"
 *            leaves out step 5: M, then the B quartic bytes (the ratio of 20 of Table 2's first row).
 * Decoding   v = M q. CODEC_STORE: +0 where q = 0. CODEC_ADD: values + v, where q = 0 unchanged: -0 stays -0, and
 *            only a NaN is different from other values: it stays, quieted, whatever q is.
 * Refused    before anything is written: M not finite or with its sign set, a chunk's length that is 0 or does not
 *            expand to the chunk's size, lengths that do not fill the payload, quartic bytes above 242 without run
 *            encoding, padding that is not 0. Accepted: runs cut in another way than section 3.3 does, M = 0 with q
 *            other than 0 (which then adds M q = +-0).
 * Sharing    a server compresses a change of the model once, with one state; all receivers decompress the same payload
 *            and hold the same bits. What they add, plus e, is the sum of the server's changes, up to the rounding of
 *            step 1. */
#ifndef NARROWS_KERNELS_THREELC_H
#define NARROWS_KERNELS_THREELC_H

#include "kernels/codec/codec.h"

/* Quartic bytes of a chunk; the last one may have fewer. */
enum { THREELC_CHUNK = 16384 };

CODEC_DEVICE(threelc_runs);
CODEC_DEVICE(threelc_quartic);
/* A pull is decompressed like a push. */
IMPL_C codec_compress_fn threelc_pull_compress_cuda;

/* Parameter "s". */
extern const struct codec codec_3lc, codec_3lc_quartic;

/* Model pulls without a separate difference. 'values' is the model itself and 'state' the receivers' copy of it (n
 * values each; the caller first sets the state to the receivers' initial model, even if that is all zero). As above,
 * but t = model - state (+0, and so not sent, if not finite), and step b is state + v, as with CODEC_ADD: the state
 * stays bit for bit equal to the receivers' copy, and later pulls make up for rounding. Neither a change nor an error
 * is stored: a pull moves 20.2 bytes a value; computing the difference first would move 12 more. Sizes, payload and
 * decompression are those of codec_3lc, and of codec_3lc_quartic, whose pulls are made on the host only. Best first,
 * then a null name. */
extern const struct codec_impl threelc_pull_impls[], threelc_quartic_pull_impls[];

#endif
