/* scalar.c - the reference: the lane, weight by weight (Algorithm 2; Algorithm 5 on a CPU). */
#include <string.h>

#include "kernels/adt/adt_lane.h"
#include "kernels/adt/host.h"

void adt_pack_span_scalar(uint8_t *dst, const void *src, size_t n, int bytes_per_weight, bool stream)
{
    const uint8_t *from = src;

    (void)stream;
    for (size_t i = 0; i < n; i++) {
        uint32_t word;

        memcpy(&word, from + 4 * i, sizeof(word));
        adt_pack_lane(dst + (size_t)bytes_per_weight * i, word, bytes_per_weight);
    }
}

void adt_unpack_span_scalar(void *dst, const uint8_t *src, size_t n, int bytes_per_weight, bool stream)
{
    uint8_t *to = dst;

    (void)stream;
    for (size_t i = 0; i < n; i++) {
        uint32_t word = adt_unpack_lane(src + (size_t)bytes_per_weight * i, bytes_per_weight);

        memcpy(to + 4 * i, &word, sizeof(word));
    }
}
