/* bleu_test.c - BLEU of short sentences, by hand. */
#include <math.h>
#include <stddef.h>

#include "tests/test.h"
#include "train/trainer/bleu.h"

static void bleu_by_hand(void **state)
{
    static const int32_t reference[] = { 5, 6, 7, 8, 9, 10, 11, 12 };
    static const int32_t good[] = { 5, 6, 7, 8, 9, 10, 3, 12 }, stutter[] = { 5, 5, 5, 5, 5, 5, 5, 5 };
    struct bleu b = { 0 };

    (void)state;
    bleu_add(&b, reference, 8, reference, 8);
    assert_true(fabs(bleu_score(&b) - 1) < 1e-12);
    b = (struct bleu){ 0 };
    bleu_add(&b, good, 8, reference, 8); /* 7 of 8, 5 of 7, 4 of 6, 3 of 5 */
    assert_true(fabs(bleu_score(&b) - pow(7.0 / 8 * 5 / 7 * 4 / 6 * 3 / 5, 0.25)) < 1e-12);
    b = (struct bleu){ 0 };
    bleu_add(&b, stutter, 8, reference, 8); /* the one 5 counts once */
    assert_int_equal(b.common[0], 1);
    assert_true(bleu_score(&b) == 0);
    b = (struct bleu){ 0 };
    bleu_add(&b, reference, 6, reference, 8); /* too short: exp(1 - 8 / 6) */
    assert_true(fabs(bleu_score(&b) - exp(1 - 8.0 / 6)) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bleu_by_hand),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
