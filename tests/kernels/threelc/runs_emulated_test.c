/* Looking back over many chunks none of which has an end yet, prefixes over several tiles, tables of more chunks than a
 * block has threads. */
#include <stdlib.h>
#include <string.h>

#include "kernels/codec/codec.h"
#include "tests/emulation/emulation.h"
#include "tests/kernels/threelc/runs_parts.h"
#include "tests/test.h"

enum { CHUNKS = 3000, CHUNK = 16384 };

static void look_back(void **state)
{
    static unsigned long long published[200], sum[32];

    (void)state;
    for (size_t chunk = 1; chunk < 200; chunk++)
        for (size_t end = 0; end < chunk; end += 1 + end / 3) {
            /* 'end' is the last chunk that knows where it ends; those behind it know their lengths */
            unsigned long long want = 1000 + end;

            for (size_t c = 0; c < chunk; c++)
                published[c] = c > end ? 1ull << 62 | (c * c + 1) : 2ull << 62 | (1000 + c);
            for (size_t c = end + 1; c < chunk; c++)
                want += c * c + 1;
            emulation_set_order(&emulation_orders[chunk % EMULATION_ORDERS]);
            parts_look_back(sum, published, chunk);
            for (size_t lane = 0; lane < 32; lane++)
                assert_int_equal(sum[lane], want);
        }
}

static void scans(void **state)
{
    static unsigned from[4 * 1024], to[4 * 1024];

    (void)state;
    for (unsigned i = 0; i < 4 * 1024; i++)
        from[i] = i * 2654435761u >> 20;
    for (size_t o = 0; o < EMULATION_ORDERS; o++) {
        unsigned sum = 0;

        emulation_set_order(&emulation_orders[o]);
        parts_scan(to, from, 4);
        for (unsigned i = 0; i < 4 * 1024; sum += from[i], i++)
            assert_int_equal(to[i], sum);
    }
}

static uint32_t *payload;
static unsigned long long place[CHUNKS];
static size_t space;

/* A table of 3000 chunks, the last one short. */
static void make_table(void)
{
    payload = calloc(CHUNKS + 1, 4);
    assert_non_null(payload);
    space = 4 + 4 * CHUNKS;
    payload[0] = 0x3f800000;
    for (uint32_t c = 0; c < CHUNKS; c++)
        space += payload[1 + c] = 1 + c * 977 % (c == CHUNKS - 1 ? 100 : CHUNK);
}

static int check(size_t nbytes)
{
    return parts_check_table((const uint8_t *)payload, nbytes, (CHUNKS - 1) * (size_t)CHUNK + 100, CHUNKS, place);
}

static void tables(void **state)
{
    (void)state;
    make_table();
    for (size_t o = 0; o < EMULATION_ORDERS; o++) {
        unsigned long long at = 4 + 4 * CHUNKS;
        uint32_t was = payload[2001];

        emulation_set_order(&emulation_orders[o]);
        assert_int_equal(check(space), CODEC_OK);
        for (size_t c = 0; c < CHUNKS; at += payload[1 + c], c++)
            assert_int_equal(place[c], at);
        assert_int_equal(check(space + 1), CODEC_LONG);
        assert_int_equal(check(space - 1), CODEC_SHORT);
        assert_int_equal(check(4 + 4 * CHUNKS), CODEC_SHORT);
        payload[2001] = 0;
        assert_int_equal(check(space), CODEC_CONTENT);
        assert_int_equal(check(4 + 4 * CHUNKS + 5000), CODEC_SHORT); /* comes first */
        payload[2001] = CHUNK + 1;
        assert_int_equal(check(space), CODEC_CONTENT);
        payload[2001] = 0xffffffffu;
        assert_int_equal(check(space), CODEC_CONTENT);
        payload[2001] = was;
        payload[0] = 0x7f800000;
        assert_int_equal(check(space), CODEC_CONTENT);
        payload[0] = 0x3f800000;
    }
    free(payload);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(look_back),
        cmocka_unit_test(scans),
        cmocka_unit_test(tables),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
