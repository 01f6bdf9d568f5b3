/* A collective as flows of all ranks at once, against the same message by message: rings that pass chunks on, each
 * transfer played on the platform's links. */
#include <math.h>

#include "sim/method/method.h"
#include "sim/network/topology.h"
#include "sim/parallel/rates.h"
#include "tests/sim/method/sharded/sharded_platform.h"
#include "tests/test.h"

enum { MB = 1000000 };

static int64_t flows_ps(const struct sharded_rig *r, int64_t ranks, enum wire wire, int64_t sent, int64_t hops)
{
    struct parallel p = { .degree = { 1, 1, ranks, 1 },
                          .expert = 1,
                          .order = { AXIS_TENSOR, AXIS_CONTEXT, AXIS_DATA, AXIS_PIPELINE },
                          .gpus_per_machine = 8 };
    struct engine *e = engine_new();
    struct topology *t = NULL;
    struct wire_rates rates;
    bool used[WIRES] = { false };
    char why[256] = "";

    used[wire] = true;
    if (topology_new(&r->platform, e, NULL, &t, why, sizeof(why)))
        fail_msg("%s", why);
    assert_int_equal(wire_rates(&r->platform, t, &p, used, 0, &rates), 0);
    topology_free(t);
    engine_free(e);
    return wire_ps(&rates, wire, sent, hops);
}

static double messages_ps(const struct sharded_rig *r, int64_t ranks, enum collective_operation o, int64_t bytes,
                          int64_t rings)
{
    struct method m = { .kind = METHOD_COLLECTIVE,
                        .collective = { .operation = o,
                                        .algorithm = COLLECTIVE_RING,
                                        .ranks = ranks,
                                        .ranks_per_machine = ranks < 8 ? ranks : 8,
                                        .rings = rings,
                                        .bytes = bytes } };
    struct job j = { .platform = &r->platform, .method = &m };
    struct readings out;
    char why[256] = "";

    if (method_play(&j, &out, NULL, why, sizeof(why)))
        fail_msg("%s", why);
    return 1e6 * reading_value(&out, "time_us");
}

/* Within one machine each step's messages are alike: the sum of the steps is one flow. */
static void one_machine(void **state)
{
    static const int64_t ranks[] = { 2, 3, 4, 5, 8 };
    struct sharded_rig r;

    (void)state;
    sharded_rig_make(&r, 1, 1, 0, 1);
    for (size_t i = 0; i < sizeof(ranks) / sizeof(*ranks); i++) {
        int64_t n = ranks[i], bytes = 120 * MB, sent = bytes / n * (n - 1);
        double gather = messages_ps(&r, n, COLLECTIVE_ALLGATHER, bytes, 1);
        double reduce = messages_ps(&r, n, COLLECTIVE_REDUCE_SCATTER, bytes, 1);
        double both = messages_ps(&r, n, COLLECTIVE_ALLREDUCE, bytes, 1);
        assert_true(fabs((double)flows_ps(&r, n, WIRE_SHARD, sent, 1) - gather) <= (double)n);
        assert_true(fabs((double)flows_ps(&r, n, WIRE_SHARD, sent, 1) - reduce) <= (double)n);
        assert_true(fabs((double)flows_ps(&r, n, WIRE_SHARD, 2 * sent, 2) - both) <= 2 * (double)n);
    }
}

/* Over machines, eight rings at once, as many as there are NICs. Latencies are left out: here every step of a ring
 * waits for the slowest hop, while NCCL, whose rings are meant, has slices of a chunk on their way meanwhile. */
static void several_machines(void **state)
{
    static const int64_t ranks[] = { 16, 32, 64 };
    struct sharded_rig r;

    (void)state;
    sharded_rig_make(&r, 8, 8, 0, 1);
    for (int i = 0; i < 3; i++)
        r.links[i].latency_s = 0;
    for (size_t i = 0; i < sizeof(ranks) / sizeof(*ranks); i++) {
        int64_t n = ranks[i], bytes = 512 * MB, sent = bytes / n * (n - 1);
        double messages = messages_ps(&r, n, COLLECTIVE_ALLREDUCE, bytes, 8);
        double flows = (double)flows_ps(&r, n, WIRE_SHARD, 2 * sent, 2);
        assert_true(fabs(flows / messages - 1) < 1e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(one_machine), cmocka_unit_test(several_machines) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
