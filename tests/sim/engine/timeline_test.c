/* timeline_test.c - spans of a track spread over slots: against the definition, slot by slot. */

#include <stdlib.h>

#include "model/status.h"
#include "sim/engine/timeline.h"
#include "tests/draw.h"
#include "tests/test.h"

enum { MAX_SPANS = 3000, MAX_SLOTS = 3000, TRACKS = 3 };

/* The lowest slot whose last span has ended. */
static int lowest(int64_t until_ps[MAX_SLOTS], const struct span *s)
{
    int slot = 0;

    while (until_ps[slot] > s->start_ps)
        slot++;
    until_ps[slot] = s->end_ps;
    return slot;
}

static void every_span_takes_the_lowest_free_slot(void **state)
{
    static int64_t until_ps[TRACKS][MAX_SLOTS];
    static struct span spans[MAX_SPANS];
    static const uint64_t lengths[] = { 1, 20, 3000, 300000 }; /* from nothing in flight to nearly all of them */

    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct timeline t = { .spans = spans, .ntracks = TRACKS };
        uint64_t s = seed, longest = lengths[seed % COUNT(lengths)];
        int64_t at_ps = 0;
        t.nspans = 1 + draw(&s) % MAX_SPANS;
        for (size_t i = 0; i < t.nspans; i++) {
            at_ps += (int64_t)(draw(&s) % 5);
            spans[i] = (struct span){ .start_ps = at_ps,
                                      .end_ps = at_ps + 1 + (int64_t)(draw(&s) % longest),
                                      .track = (int)(draw(&s) % TRACKS),
                                      .slot = -1 };
        }
        assert_int_equal(timeline_spread(&t), E_OK);
        for (int k = 0; k < TRACKS; k++)
            for (size_t i = 0; i < MAX_SLOTS; i++)
                until_ps[k][i] = 0;
        for (size_t i = 0; i < t.nspans; i++)
            if (spans[i].slot != lowest(until_ps[spans[i].track], &spans[i]))
                fail_msg("seed %d, span %zu: slot %d", (int)seed, i, spans[i].slot);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_span_takes_the_lowest_free_slot),
    };
    return cmocka_run_group_tests_name("timeline", tests, NULL, NULL);
}
