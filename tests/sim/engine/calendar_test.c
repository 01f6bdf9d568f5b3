/* The calendar against a stable sort: earliest first, equal times in posting order. */

#include "model/status.h"
#include "sim/engine/calendar.h"
#include "tests/draw.h"
#include "tests/test.h"

static void comes_out_in_order(void **state)
{
    struct calendar c = { 0 };
    struct notice n, last = { .at_ps = -1 };
    uint64_t seed = 7;
    size_t posted = 0, taken = 0;

    (void)state;
    while (taken < 5000) {
        if (posted < 5000 && draw(&seed) % 3) {
            /* Never before what came out already, as in a simulation; many ties. */
            int64_t at_ps = (last.at_ps < 0 ? 0 : last.at_ps) + (int64_t)(draw(&seed) % 4);
            assert_int_equal(calendar_post(&c, at_ps, 1, (uint32_t)posted++, 0), E_OK);
        } else if (calendar_next(&c, &n)) {
            assert_true(n.at_ps >= last.at_ps);
            if (n.at_ps == last.at_ps)
                assert_true(n.sequence > last.sequence);
            last = n;
            taken++;
        }
    }
    assert_false(calendar_next(&c, &n));
    calendar_clear(&c);
}

static void refuses_the_past_of_all_time(void **state)
{
    struct calendar c = { 0 };
    int64_t at_ps;

    (void)state;
    assert_int_equal(calendar_post(&c, -1, 0, 0, 0), E_INVAL);
    assert_false(calendar_peek(&c, &at_ps));
    calendar_clear(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comes_out_in_order),
        cmocka_unit_test(refuses_the_past_of_all_time),
    };
    return cmocka_run_group_tests_name("calendar", tests, NULL, NULL);
}
