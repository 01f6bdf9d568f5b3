/* Threefry-4x32 against the authors' known answers (Random123, tests/kat_vectors). */

#include "kernels/threefry/threefry_lane.h"
#include "tests/test.h"

static const struct {
    unsigned rounds;
    uint32_t counter[4], key[4], want[4];
} answers[] = {
    { 13, { 0, 0, 0, 0 }, { 0, 0, 0, 0 }, { 0x531c7e4f, 0x39491ee5, 0x2c855a92, 0x3d6abf9a } },
    { 13,
      { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff },
      { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff },
      { 0xc4189358, 0x1c9cc83a, 0xd5881c67, 0x6a0a89e0 } },
    { 13,
      { 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344 },
      { 0xa4093822, 0x299f31d0, 0x082efa98, 0xec4e6c89 },
      { 0x4aa71d8f, 0x734738c2, 0x431fc6a8, 0xae6debf1 } },
    { 20, { 0, 0, 0, 0 }, { 0, 0, 0, 0 }, { 0x9c6ca96a, 0xe17eae66, 0xfc10ecd4, 0x5256a7d8 } },
    { 20,
      { 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344 },
      { 0xa4093822, 0x299f31d0, 0x082efa98, 0xec4e6c89 },
      { 0x59cd1dbb, 0xb8879579, 0x86b5d00c, 0xac8b6d84 } },
    { 72, { 0, 0, 0, 0 }, { 0, 0, 0, 0 }, { 0x93171da6, 0x9220326d, 0xb392b7b1, 0xff58a002 } },
};

static void known_answers(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(answers) / sizeof(*answers); i++) {
        const uint32_t *k = answers[i].key;
        struct threefry_key key = threefry_key_of(k[0], k[1], k[2], k[3]);
        uint32_t x[4];

        for (int w = 0; w < 4; w++)
            x[w] = answers[i].counter[w];
        threefry(x, &key, answers[i].rounds);
        for (int w = 0; w < 4; w++)
            if (x[w] != answers[i].want[w])
                fail_msg("answer %zu, word %d: %#x, want %#x", i, w, x[w], answers[i].want[w]);
    }
    assert_int_equal(THREEFRY_ROUNDS, 13);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(known_answers) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
