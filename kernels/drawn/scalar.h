/* scalar.h - the reference loops of a codec, included behind code_of(value, drawn, scale) and value_of(code, scale),
 * which are its definition for one value: group by group, since a counter serves four values of one. */
static void encode_block(uint8_t *block, const float *values, size_t count, const uint32_t word[][4], size_t half,
                         const struct drawn_scale *s)
{
    uint32_t plane[DRAWN_BITS] = { 0 };
    int width = drawn_width(count, 0);

    for (size_t i = 0; i < count && i < DRAWN_BLOCK; i++) {
        uint32_t code = code_of(values[i], word[i % DRAWN_LANES][2 * half + i / DRAWN_LANES], s);

        for (int k = 0; k < s->bits; k++)
            plane[k] |= (code >> k & 1) << i;
    }
    for (int k = 0; k < s->bits; k++)
        drawn_put(block, k, width, plane[k]);
}

static void encode_scalar(uint8_t *planes, const float *values, size_t first, size_t count, const struct drawn_scale *s,
                          const struct threefry_key *key)
{
    uint32_t word[DRAWN_LANES][4];

    for (size_t at = 0; at < count; at += DRAWN_BLOCK) {
        for (size_t i = 0; at % DRAWN_GROUP == 0 && i < DRAWN_LANES; i++)
            drawn_words(word[i], key, (first + at) / DRAWN_GROUP * DRAWN_LANES + i);
        encode_block(planes + (size_t)s->bits * (at / 8), values + at, count - at, (const uint32_t(*)[4])word,
                     at / DRAWN_BLOCK % 2, s);
    }
}

static void decode_scalar(float *dst, const uint8_t *planes, size_t count, const struct drawn_scale *s, bool stream)
{
    (void)stream;
    for (size_t at = 0; at < count; at += DRAWN_BLOCK) {
        const uint8_t *block = planes + (size_t)s->bits * (at / 8);
        int width = drawn_width(count, at);

        for (size_t i = 0; i < DRAWN_BLOCK && at + i < count; i++) {
            uint32_t code = 0;

            for (int k = 0; k < s->bits; k++)
                code |= (uint32_t)(block[(size_t)(k * width) + i / 8] >> i % 8 & 1) << k;
            dst[at + i] = value_of(code, s);
        }
    }
}
