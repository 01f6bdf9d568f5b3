/* carry.h - what an exchange sends, as bytes for another process. There an exchange of the same options unpacks them,
 * and goes on as if its own workers had pushed, or its own server had pulled. Both are opened with
 * exchange_options.apart.
 * Bytes      of each tensor in turn: what goes through a codec as the length of its payload and the payload; other
 *            tensors as they are, fp32. Where zeros are counted their number follows a payload, and the threshold where
 *            the codec has one. Numbers are in this machine's byte order.
 * Space      to[] must have space for exchange_most_...() bytes.
 * Trust      lengths are checked; the payloads are those of the same program's codecs. */
#ifndef NARROWS_TRAIN_EXCHANGE_CARRY_H
#define NARROWS_TRAIN_EXCHANGE_CARRY_H

#include "train/exchange/exchange.h"

/* One worker's push of this step. Packing returns the end of what it wrote, unpacking of what it read, or NULL: from[]
 * ends before the push does, or a length is none. gradient[ndense] as in exchange_push(). */
size_t exchange_most_pushed(const struct exchange *x);
uint8_t *exchange_pack_push(const struct exchange *x, int64_t worker, const float *gradient, uint8_t *to);
const uint8_t *exchange_unpack_push(struct exchange *x, int64_t worker, float *gradient, const uint8_t *from,
                                    const uint8_t *end);

/* The pull of this step: unpacking it updates the workers' model, on all threads. */
size_t exchange_most_pulled(const struct exchange *x);
uint8_t *exchange_pack_pull(const struct exchange *x, const float *model, uint8_t *to);
const uint8_t *exchange_unpack_pull(struct exchange *x, float *model, const uint8_t *from, const uint8_t *end);

/* The states of one worker's codecs. */
size_t exchange_states_of(const struct exchange *x, int64_t worker);
void exchange_pack_states(const struct exchange *x, int64_t worker, uint8_t *to);
void exchange_unpack_states(struct exchange *x, int64_t worker, const uint8_t *from);

#endif
