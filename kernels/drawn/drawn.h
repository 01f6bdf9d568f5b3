/* drawn.h - what the codecs that round at random share ("qsgd", "terngrad", "natural"): the draws, the payload and the
 * ways there and back. A codec brings its scale, the code of a value and the value of a code.
 * Draws      Threefry-4x32 with 13 rounds; key: parameter 'seed' and the number of the step, which the state counts;
 *            counter: the position of the value (drawn_lane.h). So the bits do not depend on threads, ISA or device.
 *            Each value has 32 random bits of its own. Workers and tensors that should draw different numbers need
 *            different seeds.
 * Payload    codes of 'bits' bits in blocks of 32, each block bit plane by bit plane, the lowest first: byte j of a
 *            plane has the bits of the block's values 8 j .. 8 j + 7. A plane has 4 bytes, in a last, shorter block one
 *            for every eight values begun, filled up with zeros: bits ceil(n / 8) bytes in all. Then a scale, fp32
 *            little-endian. Codes that none is, padding that is not zero and a scale that none is are errors.
 * State      8 bytes: the number of steps compressed. */
#ifndef NARROWS_KERNELS_DRAWN_H
#define NARROWS_KERNELS_DRAWN_H

#include "kernels/codec/codec.h"
#include "kernels/drawn/drawn_lane.h"
#include "kernels/shared/receive.h"

/* What a codec knows of a whole tensor; each says what it means by the members that it uses. */
struct drawn_scale {
    float lift, factor, step;
    int levels, bits;
};

/* Encode 'count' values, of which the first has the number 'first', a multiple of 64, into the planes of their blocks;
 * 'count' is a multiple of 64 but for the last of the tensor. */
typedef void drawn_encode_span(uint8_t *planes, const float *values, size_t first, size_t count,
                               const struct drawn_scale *s, const struct threefry_key *key);
/* Decode 'count' codes; a multiple of 32 but for the last of the tensor. 'stream': past the caches, dst on a 64-byte
 * boundary. */
typedef void drawn_decode_span(float *dst, const uint8_t *planes, size_t count, const struct drawn_scale *s,
                               bool stream);

struct drawn_spans {
    const struct plain_spans *plain;
    drawn_encode_span *encode;
    drawn_decode_span *decode;
};

/* All n codes, behind them the scale as it is sent. Counts the step. */
void drawn_send(const struct drawn_spans *isa, share_fn *share, uint8_t *payload, uint64_t *nbytes, const float *values,
                size_t n, const struct drawn_scale *s, float sent, uint64_t seed, uint64_t *steps);

/* Is the payload of the right size and every code valid? *sent: the scale, which the caller has to check. */
enum codec_error drawn_check(share_fn *share, const uint8_t *payload, size_t nbytes, size_t n, struct drawn_form form,
                             float *sent);

/* From a payload that was checked. */
void drawn_receive(const struct drawn_spans *isa, share_fn *share, float *values, size_t n, enum codec_into into,
                   const uint8_t *payload, const struct drawn_scale *s);

/* State of a codec: the number of steps. */
codec_size_fn drawn_state;

#endif
