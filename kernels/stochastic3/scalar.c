/* scalar.c - the reference: group by group, since a counter serves eight positions of one. */
#include "kernels/stochastic3/host.h"

/* Add what a partition counts to the bytes of up to one group. */
static void encode_partition(int *sum, const struct stochastic3_job *j, size_t at, size_t count, int partition)
{
    size_t first = (size_t)partition * j->each + at;
    uint32_t word[STOCHASTIC3_LANES][4];

    for (size_t i = 0; i < STOCHASTIC3_LANES; i++)
        stochastic3_words(word[i], &j->key, at / STOCHASTIC3_GROUP * STOCHASTIC3_LANES + i, partition);
    for (size_t p = 0; p < count && first + p < j->n; p++) {
        uint32_t drawn = word[p % 16][p / 32];

        if (p / 16 % 2)
            drawn = threefry_rotate(drawn, 16);
        sum[p] += stochastic3_weight(partition) * stochastic3_trit(j->values[first + p], drawn, j->scale);
    }
}

void stochastic3_encode_scalar(const struct stochastic3_job *j, size_t from, size_t to)
{
    for (size_t at = from; at < to; at += STOCHASTIC3_GROUP) {
        size_t count = to - at < STOCHASTIC3_GROUP ? to - at : STOCHASTIC3_GROUP;
        int sum[STOCHASTIC3_GROUP] = { 0 };

        for (int partition = 0; partition < 5; partition++)
            encode_partition(sum, j, at, count, partition);
        for (size_t p = 0; p < count; p++)
            j->bytes[at + p] = (uint8_t)sum[p];
    }
}

void stochastic3_decode_scalar(float *dst, const uint8_t *bytes, size_t n, int partition, float m, bool stream)
{
    (void)stream;
    for (size_t i = 0; i < n; i++)
        dst[i] = stochastic3_value(stochastic3_digit(bytes[i], partition), m);
}

bool stochastic3_check_scalar(const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (bytes[i] > 242)
            return 1;
    return 0;
}

const struct stochastic3_spans stochastic3_scalar = { &plain_scalar, magnitude_scalar, stochastic3_encode_scalar,
                                                      stochastic3_decode_scalar, stochastic3_check_scalar };
