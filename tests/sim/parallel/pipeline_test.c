/* pipeline_test.c - every stage's order of turns: complete, without deadlock, as short as closed forms say, and with as
 * many activations alive as it says. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/parallel/pipeline.h"
#include "tests/test.h"

enum { FORWARD = 1, BACKWARD = 2, MOST_STAGES = 8, MOST_CHUNKS = 4, MOST_BATCHES = 40 };

/* When each pass ended; 0: it has not. */
struct played {
    int64_t end[2][MOST_BATCHES][MOST_STAGES * MOST_CHUNKS];
};

static void wrong(const struct pipeline *p, const char *what, int64_t got, int64_t want)
{
    fail_msg("schedule %d, %" PRId64 " stages, %" PRId64 " chunks, %" PRId64 " micro-batches: %s: %" PRId64
             ", not %" PRId64,
             (int)p->schedule, p->stages, p->chunks, p->micro_batches, what, got, want);
}

/* When this pass may begin: -1, if what it needs has not ended. */
static int64_t ready(const struct pipeline *p, const struct played *done, struct stage_turn t, int64_t part)
{
    int64_t parts = p->stages * p->chunks, at = 0;

    if (!t.backward && part > 0)
        at = done->end[0][t.micro_batch][part - 1];
    else if (t.backward)
        at = part == parts - 1 ? done->end[0][t.micro_batch][part] : done->end[1][t.micro_batch][part + 1];
    return at || (!t.backward && part == 0) ? at : -1;
}

/* Every stage works through its turns as soon as it can; how long all takes. */
static int64_t play(const struct pipeline *p)
{
    static struct played done;
    int64_t next[MOST_STAGES] = { 0 }, free_at[MOST_STAGES] = { 0 }, end = 0, left = p->stages * pipeline_turns(p);

    memset(&done, 0, sizeof(done));
    while (left) {
        int64_t before = left;
        for (int64_t s = 0; s < p->stages; s++)
            while (next[s] < pipeline_turns(p)) {
                struct stage_turn t = pipeline_turn(p, s, next[s]);
                int64_t part = t.chunk * p->stages + s, at = ready(p, &done, t, part);
                if (at < 0)
                    break;
                free_at[s] = (at > free_at[s] ? at : free_at[s]) + (t.backward ? BACKWARD : FORWARD);
                done.end[t.backward][t.micro_batch][part] = free_at[s];
                end = free_at[s] > end ? free_at[s] : end;
                next[s]++;
                left--;
            }
        if (left == before)
            wrong(p, "turns left at a deadlock", left, 0);
    }
    return end;
}

/* Each pass once, the forward one first; the most that were alive. */
static void check_stage(const struct pipeline *p, int64_t stage)
{
    int seen[MOST_BATCHES][MOST_CHUNKS] = { { 0 } };
    int64_t alive = 0, most = 0;

    for (int64_t i = 0; i < pipeline_turns(p); i++) {
        struct stage_turn t = pipeline_turn(p, stage, i);
        assert_in_range(t.micro_batch, 0, p->micro_batches - 1);
        assert_in_range(t.chunk, 0, p->chunks - 1);
        assert_int_equal(seen[t.micro_batch][t.chunk]++, t.backward);
        alive += t.backward ? -1 : 1;
        most = alive > most ? alive : most;
    }
    assert_int_equal(alive, 0); /* as many backward as forward: two turns for each pair of them */
    if (pipeline_alive(p, stage) != most)
        wrong(p, "alive", pipeline_alive(p, stage), most);
}

static void check(const struct pipeline *p)
{
    int64_t took = play(p), want = (p->micro_batches * p->chunks + p->stages - 1) * (FORWARD + BACKWARD);

    assert_int_equal(pipeline_turns(p), 2 * p->micro_batches * p->chunks);
    for (int64_t s = 0; s < p->stages; s++)
        check_stage(p, s);
    if (took != want)
        wrong(p, "time", took, want);
}

static void plain_schedules_are_as_short_as_their_bubble_lets_them(void **state)
{
    (void)state;
    for (int schedule = 0; schedule < PIPELINE_ORDERS; schedule++)
        for (int64_t stages = 1; stages <= MOST_STAGES; stages++)
            for (int64_t n = 1; n <= 20; n++)
                check(&(struct pipeline){ (enum pipeline_order)schedule, stages, 1, n });
}

static void interleaved_ones_divide_the_bubble_by_the_chunks(void **state)
{
    (void)state;
    for (int64_t stages = 1; stages <= MOST_STAGES; stages++)
        for (int64_t chunks = 2; chunks <= MOST_CHUNKS; chunks++)
            for (int64_t rounds = 1; rounds <= 5; rounds++)
                check(&(struct pipeline){ PIPELINE_1F1B, stages, chunks, rounds * stages });
}

/* By hand, of arXiv 2104.04473's figures: two stages, and two chunks on each of them. */
static void orders_are_those_of_the_papers(void **state)
{
    static const struct {
        struct pipeline p;
        int64_t stage;
        const char *order; /* micro-batch and chunk; capitals: backward */
    } rows[] = {
        { { PIPELINE_GPIPE, 2, 1, 3 }, 0, "0a 1a 2a 2A 1A 0A " },
        { { PIPELINE_1F1B, 2, 1, 3 }, 0, "0a 1a 0A 2a 1A 2A " },
        { { PIPELINE_1F1B, 2, 1, 3 }, 1, "0a 0A 1a 1A 2a 2A " },
        { { PIPELINE_1F1B, 2, 2, 4 }, 0, "0a 1a 0b 1b 2a 0B 3a 1B 2b 0A 3b 1A 2B 3B 2A 3A " },
        { { PIPELINE_1F1B, 2, 2, 4 }, 1, "0a 1a 0b 0B 1b 1B 2a 0A 3a 1A 2b 2B 3b 3B 2A 3A " },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char order[256] = "";
        for (int64_t k = 0; k < pipeline_turns(&rows[i].p); k++) {
            struct stage_turn t = pipeline_turn(&rows[i].p, rows[i].stage, k);
            char word[4] = { (char)('0' + t.micro_batch), (char)((t.backward ? 'A' : 'a') + t.chunk), ' ', 0 };
            strcat(order, word);
        }
        assert_string_equal(order, rows[i].order);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_schedules_are_as_short_as_their_bubble_lets_them),
        cmocka_unit_test(interleaved_ones_divide_the_bubble_by_the_chunks),
        cmocka_unit_test(orders_are_those_of_the_papers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
