/* parts.h - what a worker keeps of a bucket that is scattered (sim/method/allreduce/allreduce.h): coders of the parts
 * that it sends, parts that have come, the sum of its own part.
 * Place      of a value among the bucket's coded ones, one tensor after another, then zeros up to the end of the last
 *            part.
 * Errors     a nw_status, the message printed. */
#ifndef NARROWS_HARNESS_EXEC_CONTENT_PARTS_H
#define NARROWS_HARNESS_EXEC_CONTENT_PARTS_H

#include "harness/exec/content/private.h"

struct parts;

/* *out: NULL for an item of which nothing is scattered. */
int parts_open(const struct content *c, const struct item *item, struct parts **out);
void parts_close(struct parts *p); /* accepts NULL */

/* Every 'shares'th of the parts, from 'share' on. */
int parts_encode(struct content *c, const struct item *item, struct parts *p, int32_t share, int32_t shares);

/* The part that leaves for a rank, as a stream; it stays until the next is encoded. */
const uint8_t *parts_leaving(const struct parts *p, int32_t to, size_t *n);
void parts_came(struct parts *p, int32_t from, uint8_t *stream, size_t n); /* takes it */

/* The sum of this rank's part: of its own values, then with what came. */
void parts_begin_sum(struct content *c, const struct item *item, struct parts *p);
int parts_add(struct content *c, struct parts *p, int32_t share, int32_t shares);

/* The sum as a stream, in place of *stream, which is freed; and to where it belongs among 'values', those of the item,
 * as the others will decode it. */
int parts_encode_sum(struct content *c, const struct item *item, struct parts *p, uint8_t **stream, size_t *n,
                     float *values);

/* Another rank's sum, to where it belongs; of this rank's nothing is left to do. */
int parts_decode_sum(struct content *c, const struct item *item, struct parts *p, int32_t rank, const uint8_t *stream,
                     size_t n, float *values);

#endif
