/* offload_test.c - the scheduler on back ends without threads: every job under orders that the queues and events
 * allow, and back ends that break a rule, which the jobs have to notice. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/adt/adt.h"
#include "tests/offload/jobs.h"
#include "tests/offload/open.h"
#include "tests/offload/spy_backend.h"

static const struct shape shapes[] = {
    { 2, 256, 1 },      /* the smallest: every slot is full, every ticket waits for the one before */
    { 3, 1000, 2 },     /* no multiple of 64 */
    { 5, 4096, 7 },     /* some slots hold many layers */
    { 2, 1 << 20, 64 }, /* everything in one slot */
};

static void right_under_every_order(void **state)
{
    (void)state;
    for (size_t s = 0; s < COUNT(shapes); s++)
        for (int j = 0; j < NJOBS; j++)
            for (int mode = 0; mode < NMODES; mode++)
                for (uint32_t seed = 0; seed < (mode == RANDOM ? 12 : 1); seed++) {
                    struct offload *o = open_on(lazy_backend_open((enum lazy_mode)mode, seed), &shapes[s]);
                    struct finding f = jobs[j].run(&host_machine, o);

                    if (f.rc || f.wrong)
                        fail_msg("%s, shape %zu, mode %d, seed %u: status %d, %ld wrong bytes", jobs[j].name, s, mode,
                                 seed, f.rc, f.wrong);
                    assert_int_equal(offload_counts(o)->step_allocs, 0);
                    assert_int_equal(offload_counts(o)->step_drains, 0);
                    assert_true(offload_counts(o)->steps > 0);
                    offload_close(o);
                    all_closed();
                }
}

static void every_row_packs_the_same(void **state)
{
    (void)state;
    for (const struct adt_impl *row = adt_impls; row->impl.name; row++) {
        struct offload_options options = { lazy_backend_open(LAZY, 0), BOTH, 3, 4096, 4, row };
        struct offload *o;
        struct finding f;

        if (row->impl.where != IMPL_HOST || !row->impl.usable()) {
            assert_int_equal(offload_open(&options, &o), NW_EINPUT);
            continue;
        }
        assert_int_equal(offload_open(&options, &o), NW_OK);
        f = job_push(&host_machine, o);
        assert_int_equal(f.rc, NW_OK);
        assert_int_equal(f.wrong, 0);
        offload_close(o);
    }
    all_closed();
}

/* Which job must notice which injected fault. LAZY shows what was not waited for; EAGER would hide it. */
static const struct {
    enum injected_fault injected;
    const char *noticed_by;
} injections[] = {
    { FAULT_EARLY, "push update pull tensors" },     { FAULT_UNFOLLOWED, "push update tensors" },
    { FAULT_LOST_COPY, "push update pull tensors" }, { FAULT_SHORT_COPY, "push update pull tensors" },
    { FAULT_WRONG_PLACE, "pull tensors" },           { FAULT_LOST_UNPACK, "push update" },
};

static void broken_back_ends_are_noticed(void **state)
{
    static const struct shape shape = { 3, 1024, 4 };

    (void)state;
    for (size_t i = 0; i < COUNT(injections); i++)
        for (int j = 0; j < NJOBS; j++) {
            struct backend *b = spy_backend_open(lazy_backend_open(LAZY, 0), injections[i].injected, 0, NULL);
            struct offload *o = open_on(b, &shape);
            struct finding f = jobs[j].run(&host_machine, o);
            bool expected = strstr(injections[i].noticed_by, jobs[j].name) != NULL;

            assert_int_equal(f.rc, NW_OK);
            if ((f.wrong > 0) != expected)
                fail_msg("injected fault %d, %s: %ld wrong bytes", (int)injections[i].injected, jobs[j].name, f.wrong);
            offload_close(o);
        }
    all_closed();
}

/* By hand: two slots of 256 bytes. Events 0: launched; 1, 2: slots copied; 3, 4: slots unpacked; 5, 6: slots of the
 * other ring; 7, 8: tickets. Queues 0: to the device, 1: to the host, 2: unpack, 3: compute. */
static const char golden[] = "wait 8\nrecord 3 0\nfollow 2 0\n"                   /* push: ticket 1 */
                             "wait 1\nfollow 0 3\ncopy 0 202\nrecord 0 1\n"       /* slot 0: layers 0 and 1 */
                             "follow 2 1\nunpack 10 1\nunpack 46 3\nrecord 2 3\n" /* 10 bytes, a gap, 138 bytes */
                             "wait 2\nfollow 0 4\ncopy 0 256\nrecord 0 2\n"       /* slot 1: layer 3, first part */
                             "follow 2 2\nunpack 64 4\nrecord 2 4\n"
                             "wait 1\nfollow 0 3\ncopy 0 4\nrecord 0 1\n" /* slot 0 again */
                             "follow 2 1\nunpack 1 4\nrecord 2 3\n"
                             "record 2 8\n"
                             "launch\n"
                             "wait 7\nrecord 3 0\nfollow 1 0\ncopy 1 64\nrecord 1 7\n" /* evict: ticket 2 */
                             "wait 8\nfollow 0 7\nrecord 3 0\nfollow 0 0\ncopy 0 64\nrecord 0 8\n"
                             "follow 3 8\n"             /* order */
                             "record 3 0\nfollow 1 0\n" /* pull: both slots are asked for at once */
                             "copy 1 256\nrecord 1 5\ncopy 1 256\nrecord 1 6\n"
                             "wait 5\ncopy 1 88\nrecord 1 5\nwait 6\nwait 5\n"
                             "wait 8\n"
                             "wait 7\nrecord 3 7\n"; /* mark: ticket 4 */

static void the_order_of_calls_is_known(void **state)
{
    static uint32_t weights[200], result[200];
    static char text[4096];
    struct offload_layer layers[] = { { weights, result, 10, 1 },
                                      { weights + 10, result + 10, 46, 3 },
                                      { NULL, NULL, 0, 2 },
                                      { weights + 56, result + 56, 65, 4 } };
    struct offload_tensor t = { .device = result, .nbytes = 64 };
    struct offload_piece piece = { weights, result, 600 };
    struct diary d = { text, sizeof(text), 0 };
    struct offload *o =
        open_on(spy_backend_open(lazy_backend_open(RANDOM, 5), FAULT_NONE, 0, &d), &(struct shape){ 2, 256, 2 });
    int64_t ticket;

    (void)state;
    t.home = offload_alloc(o, BACKEND_PINNED, 64);
    d.n = 0;
    assert_int_equal(offload_push(o, layers, 4, &ticket), NW_OK);
    assert_int_equal(ticket, 1);
    offload_launch(o, host_machine.copy, &(struct device_copy){ result, result, 0 });
    assert_int_equal(offload_evict(o, &t), NW_OK);
    assert_int_equal(t.ticket, 2);
    assert_int_equal(offload_prefetch(o, &t), NW_OK);
    assert_int_equal(t.ticket, 3);
    assert_int_equal(offload_order(o, 1), NW_OK); /* long done: nothing is asked */
    assert_int_equal(offload_order(o, t.ticket), NW_OK);
    assert_int_equal(offload_pull(o, &piece, 1), NW_OK);
    assert_int_equal(offload_wait(o, t.ticket), NW_OK);
    assert_int_equal(offload_mark(o, &ticket), NW_OK);
    assert_int_equal(ticket, 4);
    assert_string_equal(text, golden);
    assert_int_equal(offload_done(o, 1), 1);
    assert_int_equal(offload_done(o, 3), 1);
    assert_int_equal(offload_counts(o)->bytes_to_device, 202 + 256 + 4 + 64);
    assert_int_equal(offload_counts(o)->bytes_to_host, 64 + 600);
    offload_close(o);
    all_closed();
}

static void stalls_are_counted(void **state)
{
    static uint32_t weights[1000], result[1000];
    struct offload_layer l = { weights, result, 1000, 4 };
    struct offload *lazy = open_on(lazy_backend_open(LAZY, 0), &(struct shape){ 4, 1024, 2 });
    struct offload *eager = open_on(lazy_backend_open(EAGER, 0), &(struct shape){ 4, 1024, 2 });
    int64_t ticket;

    (void)state;
    /* Slots hold 256 weights: four for one push. The second push finds all of them taken. */
    assert_int_equal(offload_push(lazy, &l, 1, &ticket), NW_OK);
    assert_int_equal(offload_counts(lazy)->slot_stalls, 0);
    assert_int_equal(offload_done(lazy, ticket), 0);
    assert_int_equal(offload_push(lazy, &l, 1, &ticket), NW_OK);
    assert_int_equal(offload_counts(lazy)->slot_stalls, 4);
    assert_int_equal(offload_counts(lazy)->wait_stalls, 0);
    assert_int_equal(offload_push(lazy, &l, 1, &ticket), NW_OK); /* both tickets are taken */
    assert_int_equal(offload_counts(lazy)->wait_stalls, 1);
    assert_int_equal(offload_wait(lazy, ticket), NW_OK);
    assert_int_equal(offload_wait(lazy, ticket), NW_OK);
    assert_int_equal(offload_counts(lazy)->wait_stalls, 2);
    for (int i = 0; i < 5; i++)
        assert_int_equal(offload_push(eager, &l, 1, &ticket), NW_OK);
    assert_int_equal(offload_counts(eager)->slot_stalls + offload_counts(eager)->wait_stalls, 0);
    offload_close(lazy);
    offload_close(eager);
    all_closed();
}

static int times_in(const char *text, const char *line)
{
    int n = 0;

    while ((text = strstr(text, line))) {
        text += strlen(line);
        n++;
    }
    return n;
}

/* What would fit two slots is cut into 16 parts all the same, so that its stages overlap; 100 KiB into no parts below
 * 64 KiB. */
static void transfers_are_cut_into_parts(void **state)
{
    enum { N = 512 << 10, SMALL = 25 << 10 };
    static char text[16384];
    uint32_t *weights = calloc(N, 4), *result = malloc(4 * N);
    struct offload_layer large = { weights, result, N, 4 }, small = { weights, result, SMALL, 4 };
    struct offload_piece large_piece = { weights, result, 4 * N }, small_piece = { weights, result, 4 * SMALL };
    struct diary d = { text, sizeof(text), 0 };
    struct offload *o =
        open_on(spy_backend_open(lazy_backend_open(EAGER, 0), FAULT_NONE, 0, &d), &(struct shape){ 4, 1 << 20, 2 });
    int64_t ticket;

    (void)state;
    assert_true(weights && result);
    d.n = 0;
    assert_int_equal(offload_push(o, &large, 1, &ticket), NW_OK);
    assert_int_equal(offload_pull(o, &large_piece, 1), NW_OK);
    assert_int_equal(times_in(text, "copy 0 131072\n"), 16);
    assert_int_equal(times_in(text, "copy 1 131072\n"), 16);
    assert_int_equal(times_in(text, "copy"), 32);
    d.n = 0;
    assert_int_equal(offload_push(o, &small, 1, &ticket), NW_OK);
    assert_int_equal(offload_pull(o, &small_piece, 1), NW_OK);
    for (int q = 0; q < 2; q++) {
        assert_int_equal(times_in(text, q ? "copy 1 65536\n" : "copy 0 65536\n"), 1);
        assert_int_equal(times_in(text, q ? "copy 1 36864\n" : "copy 0 36864\n"), 1);
    }
    assert_int_equal(times_in(text, "copy"), 4);
    d.n = 0;
    small.bytes_per_weight = 3; /* 65536 bytes hold 21845 weights; cut so that the rest stays aligned */
    assert_int_equal(offload_push(o, &small, 1, &ticket), NW_OK);
    assert_int_equal(times_in(text, "unpack 21824 3\n"), 1);
    offload_close(o);
    free(weights);
    free(result);
    all_closed();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_under_every_order),      cmocka_unit_test(every_row_packs_the_same),
        cmocka_unit_test(broken_back_ends_are_noticed), cmocka_unit_test(the_order_of_calls_is_known),
        cmocka_unit_test(stalls_are_counted),           cmocka_unit_test(transfers_are_cut_into_parts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
