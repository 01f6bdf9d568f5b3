/* chakra_write_test.c - a graph of tasks as Chakra traces, and these as flows again: every node, dependency, byte and
 * duration comes back. */
#include <stdlib.h>
#include <string.h>

#include "harness/import/chakra/chakra.h"
#include "harness/status.h"
#include "harness/trace/chakra_write.h"
#include "tests/test.h"

static struct graph_resource resources[] = { { "gpu", 0, 1 }, { "cpu", 1, 1 } };
static struct graph_rank ranks[] = { { .role = "worker" }, { .role = "worker", .number = 1, .machine = 1 } };

/* Rank 0 computes and sends; rank 1 works with it; both meet; rank 0 goes on no earlier than at 2 ms. */
static struct graph_task tasks[] = {
    { .place = { .work = WORK_BACKWARD, .rank = 0, .peer = -1 },
      .end_ps = 100500003,
      .bytes = -1,
      .resource = 0,
      .item = 7,
      .group = -1 },
    { .place = { .work = WORK_MOVE, .rank = 0, .peer = 1 },
      .start_ps = 100500003,
      .end_ps = 910500003,
      .bytes = 1000000,
      .resource = -1,
      .group = -1,
      .nafter = 1 },
    { .place = { .work = WORK_UPDATE, .rank = 1, .peer = -1 },
      .start_ps = 910500003,
      .end_ps = 910500010,
      .bytes = -1,
      .resource = 1,
      .group = -1,
      .first_after = 1,
      .nafter = 1 },
    { .place = { .work = WORK_ORDER, .rank = RANK_EACH, .peer = -1 },
      .start_ps = 910500010,
      .end_ps = 910500010,
      .bytes = -1,
      .resource = -1,
      .group = -1,
      .first_after = 2,
      .nafter = 2 },
    { .place = { .work = WORK_MOVE, .rank = 0, .peer = 0 },
      .start_ps = 2000000000,
      .end_ps = 2000000900,
      .not_before_ps = 2000000000,
      .bytes = 64,
      .resource = -1,
      .group = -1,
      .first_after = 4,
      .nafter = 1 },
    { .place = { .work = WORK_FORWARD, .rank = 1, .peer = -1 },
      .start_ps = 2000000900,
      .end_ps = 2000000950,
      .bytes = -1,
      .resource = 0,
      .group = -1,
      .first_after = 5,
      .nafter = 2 },
};
static int32_t after[] = { 0, 1, 1, 2, 3, 3, 4 };

static struct task_graph graph(void)
{
    return (struct task_graph){ .tasks = tasks,
                                .ntasks = COUNT(tasks),
                                .after = after,
                                .nafter = COUNT(after),
                                .resources = resources,
                                .nresources = COUNT(resources),
                                .ranks = ranks,
                                .nranks = COUNT(ranks) };
}

/* In the order in which they start. */
static void all_comes_back(void **state)
{
    static const struct {
        int64_t src, dst, bytes, delay_ps;
        uint32_t after[3];
        size_t nafter;
    } want[] = {
        { 0, 0, 0, 100500003, { 0 }, 0 },  /* backward */
        { 0, 0, 0, 2000000000, { 0 }, 0 }, /* not before */
        { 0, 1, 1000000, 0, { 0 }, 1 },    /* send */
        { 1, 1, 0, 0, { 2 }, 1 },          /* receive */
        { 0, 0, 0, 0, { 2 }, 1 },          /* order, on rank 0 */
        { 1, 1, 0, 7, { 3 }, 1 },          /* update */
        { 1, 1, 0, 0, { 3, 5 }, 2 },       /* order, on rank 1 */
        { 1, 1, 0, 50, { 6 }, 1 },         /* forward: what rank 0 did at the end has no transfer */
        { 0, 0, 0, 900, { 4, 1 }, 2 },     /* within rank 0 */
    };
    const struct task_graph g = graph();
    struct chakra *c = chakra_new(stderr);
    const struct flow_spec *list = NULL;
    size_t n = 0, lost = 0;

    (void)state;
    assert_non_null(c);
    assert_null(chakra_cannot(&g));
    for (int rank = 0; rank < 2; rank++) {
        char *bytes = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&bytes, &size);
        assert_non_null(out);
        assert_int_equal(chakra_write(&g, rank, out, &lost), NW_OK);
        assert_int_equal(fclose(out), 0);
        assert_int_equal(chakra_read(c, rank ? "1.et" : "0.et", bytes, size), NW_OK);
        free(bytes);
    }
    assert_int_equal(lost, 1);
    assert_int_equal(chakra_lower(c, 0, &list, &n), NW_OK);
    assert_int_equal(n, COUNT(want));
    for (size_t i = 0; i < n; i++) {
        const struct flow_spec *f = &list[i];
        if (f->src.machine != want[i].src || f->dst.machine != want[i].dst || f->bytes != want[i].bytes ||
            f->delay_ps != want[i].delay_ps || f->nafter != want[i].nafter)
            fail_msg("flow %zu: %lld to %lld, %lld bytes, %lld ps, after %zu", i, (long long)f->src.machine,
                     (long long)f->dst.machine, (long long)f->bytes, (long long)f->delay_ps, f->nafter);
        for (size_t k = 0; k < f->nafter; k++)
            assert_int_equal(f->after[k], want[i].after[k]);
    }
    chakra_free(c);
}

static void what_traces_cannot_say(void **state)
{
    struct task_graph g = graph();

    (void)state;
    tasks[3].missing = 1;
    assert_non_null(strstr(chakra_cannot(&g), "wait for all they depend on"));
    tasks[3].missing = 0;
    tasks[2].group = 0;
    assert_non_null(strstr(chakra_cannot(&g), "may be cancelled"));
    tasks[2].group = -1;
    assert_null(chakra_cannot(&g));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_comes_back),
        cmocka_unit_test(what_traces_cannot_say),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
