/* Collectives as a library runs them: the model and the table by hand, and what is refused. */
#include <math.h>
#include <string.h>

#include "model/status.h"
#include "sim/collective/measured.h"
#include "tests/test.h"

static const int64_t us = 1000000, MB = 1000000;

/* Two ways to send: a short one for up to 1 MB, and one that is as the figures say. */
static struct protocol two[] = { { .name = "LL", .latency_ratio = 0.25, .bandwidth_ratio = 0.5, .most_bytes = 1000000 },
                                 { .name = "simple", .latency_ratio = 1, .bandwidth_ratio = 1 } };
/* A tree that is forced on small ones, however slow. */
static struct protocol forced[] = {
    { .shape = PROTOCOL_TREE, .latency_ratio = 2, .bandwidth_ratio = 0.1, .most_bytes = 10000000 },
    { .shape = PROTOCOL_RING, .latency_ratio = 1, .bandwidth_ratio = 1, .least_bytes = 10000001 },
};
static struct measured_row rows[] = {
    { COLLECTIVE_ALLREDUCE, 4, 1000000, 50e-6 }, { COLLECTIVE_ALLREDUCE, 4, 3000000, 70e-6 },
    { COLLECTIVE_ALLREDUCE, 8, 1000000, 90e-6 }, { COLLECTIVE_ALLREDUCE, 4, 4000000, 100e-6 },
    { COLLECTIVE_ALLGATHER, 4, 1000000, 33e-6 },
};

/* Among the ranks of a machine. */
static int64_t alone_ps(const struct measured *m, enum collective_operation o, int64_t ranks, int64_t bytes)
{
    struct collective_group g = { .ranks = ranks, .machines = 1 };

    return measured_collective_ps(m, o, &g, bytes);
}

/* 100 GB/s on the bus, 1 us a step, 10 us a collective. */
static struct measured model(void)
{
    return (struct measured){
        .launch_s = 10e-6, .latency_s = 1e-6, .bandwidth_Bps = 100e9, .bandwidth_at_bytes = 400e6, .exponent = 1
    };
}

static void times_by_hand(void **state)
{
    static const struct {
        const char *what;
        enum collective_operation o;
        int64_t ranks, bytes, us;
        double exponent;
        int protocols; /* 1: two[], 2: forced[] */
        size_t nrows;
    } cases[] = {
        { "6 steps, 1.5 x 2 ms", COLLECTIVE_ALLREDUCE, 4, 200000000, 3016, 1, 0, 0 },
        { "3 steps, 0.75 x 2 ms", COLLECTIVE_ALLGATHER, 4, 200000000, 1513, 1, 0, 0 },
        { "also 3 steps", COLLECTIVE_REDUCE_SCATTER, 4, 200000000, 1513, 1, 0, 0 },
        { "3 steps, 2 ms", COLLECTIVE_BROADCAST, 4, 200000000, 2013, 1, 0, 0 },
        { "no bytes", COLLECTIVE_ALLREDUCE, 4, 0, 16, 1, 0, 0 },
        { "no bytes, and a power", COLLECTIVE_ALLREDUCE, 4, 0, 16, 0.5, 0, 0 },
        { "one rank", COLLECTIVE_ALLREDUCE, 1, 200000000, 0, 1, 0, 0 },
        { "a quarter of the size: half the rate", COLLECTIVE_ALLREDUCE, 4, 100000000, 3016, 0.5, 0, 0 },
        { "at the size itself: the rate", COLLECTIVE_ALLREDUCE, 4, 400000000, 6016, 0.5, 0, 0 },
        { "short: a quarter of the latency, half the rate", COLLECTIVE_ALLREDUCE, 5, 125000, 16, 1, 1, 0 },
        { "the other is faster: 8 + 16", COLLECTIVE_ALLREDUCE, 5, 1000000, 34, 1, 1, 0 },
        { "too large for the short one", COLLECTIVE_ALLREDUCE, 5, 1250000, 38, 1, 1, 0 },
        { "a tree of 6 steps of 2 us, a tenth of the rate", COLLECTIVE_ALLREDUCE, 5, 5000000, 822, 1, 2, 0 },
        { "a byte more: a ring of 8 us", COLLECTIVE_ALLREDUCE, 5, 12500000, 218, 1, 2, 0 },
        { "a tree is of an all-reduce only", COLLECTIVE_ALLGATHER, 5, 5000000, 54, 1, 2, 0 },
        { "a row", COLLECTIVE_ALLREDUCE, 4, 3000000, 70, 1, 0, COUNT(rows) },
        { "between two rows", COLLECTIVE_ALLREDUCE, 4, 2500000, 65, 1, 0, COUNT(rows) },
        { "below the first", COLLECTIVE_ALLREDUCE, 4, 1000, 50, 1, 0, COUNT(rows) },
        { "above the last: 30 us a MB", COLLECTIVE_ALLREDUCE, 4, 8000000, 220, 1, 0, COUNT(rows) },
        { "one row only, above it", COLLECTIVE_ALLREDUCE, 8, 2000000, 180, 1, 0, COUNT(rows) },
        { "of another operation", COLLECTIVE_ALLGATHER, 4, 1000000, 33, 1, 0, COUNT(rows) },
        { "no rows: the model", COLLECTIVE_BROADCAST, 4, 200000000, 2013, 1, 0, COUNT(rows) },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct measured m = model();
        m.exponent = cases[i].exponent;
        m.protocols = cases[i].protocols == 1 ? two : forced;
        m.nprotocols = cases[i].protocols ? 2 : 0;
        m.rows = rows;
        m.nrows = cases[i].nrows;
        int64_t ps = alone_ps(&m, cases[i].o, cases[i].ranks, cases[i].bytes);
        if (ps != cases[i].us * us)
            fail_msg("%s: %lld ps, not %lld us", cases[i].what, (long long)ps, (long long)cases[i].us);
    }
}

/* A collective takes as long as the host takes to launch it, or longer; a table that falls is not gone on along. */
static void limits(void **state)
{
    struct measured m = model();
    struct measured_row falling[] = { { COLLECTIVE_ALLREDUCE, 4, 1000000, 50e-6 },
                                      { COLLECTIVE_ALLREDUCE, 4, 2000000, 40e-6 } };

    (void)state;
    m.floor_s = 100e-6;
    assert_int_equal(alone_ps(&m, COLLECTIVE_ALLREDUCE, 4, 4 * MB), 100 * us);
    assert_int_equal(alone_ps(&m, COLLECTIVE_ALLREDUCE, 4, 6 * MB), 106 * us);
    assert_int_equal(alone_ps(&m, COLLECTIVE_ALLREDUCE, 1, 6 * MB), 0);
    m.rows = falling;
    m.nrows = 2;
    assert_int_equal(alone_ps(&m, COLLECTIVE_ALLREDUCE, 4, 9 * MB), 40 * us);
}

/* What nccl-tests calls bus bandwidth is what a model without latency was given, for every operation and number. */
static void the_bus_bandwidth_is_what_was_given(void **state)
{
    struct measured m = model();

    (void)state;
    m.launch_s = m.latency_s = 0;
    for (int o = 0; o < COLLECTIVE_OPERATIONS; o++)
        for (int64_t n = 2; n < 40; n++) {
            double s = (double)alone_ps(&m, (enum collective_operation)o, n, 1000 * MB) / 1e12;
            double busbw = 1000e6 / s * measured_factor((enum collective_operation)o, n);
            assert_true(fabs(busbw / 100e9 - 1) < 1e-9);
        }
}

/* NCCL's own choice, and what is around it: a launch, a floor, rows, NICs that are slower than NVLink. Of 8 ranks of
 * Ampere 15 us with ring-LL; of 64 on 8 machines 45.2 us with tree-LL, 82.5 us and 69 of 200 GB/s with tree-LL128. */
static void nccl_chooses(void **state)
{
    static const struct collective_group eight = { 8, 1, 1e9 }, far = { 64, 8, 200e9 }, slow = { 64, 8, 20e9 },
                                         one = { 1, 1, 0 }, four = { 4, 1, 0 };
    static const struct {
        const char *what;
        const struct collective_group *among;
        double launch_s, floor_s, latency_s, bandwidth_Bps;
        int64_t bytes, ns;
        const char *sent_as;
    } cases[] = {
        { "a launch before it", &eight, 10e-6, 0, 0, 0, 0, 25000, "ring-LL" },
        { "a floor under it", &eight, 10e-6, 30e-6, 0, 0, 0, 30000, "ring-LL" },
        { "the bus that was given", &eight, 0, 0, 0, 175e9, 100 * 1000000, 1056000, "ring-Simple" },
        { "else NVLink's 240 GB/s", &eight, 0, 0, 0, 0, 240 * 1000000, 56000 + 1750000, "ring-Simple" },
        { "NICs are slower", &far, 0, 0, 0, 0, 4830000, 152500, "tree-LL128" },
        { "or the bus is", &far, 0, 0, 0, 20e9, 4830000, 82500 + 700000, "tree-LL128" },
        { "a tenth of it", &slow, 0, 0, 0, 0, 4830000, 82500 + 700000, "tree-LL128" },
        { "of a NIC, 6 times", &far, 0, 0, 2e-6, 0, 0, 57200, "tree-LL" },
        { "a row", &four, 0, 0, 0, 0, 3000000, 70000, NULL },
        { "one rank", &one, 0, 0, 0, 0, 3000000, 0, NULL },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct measured m = { .launch_s = cases[i].launch_s,
                              .floor_s = cases[i].floor_s,
                              .latency_s = cases[i].latency_s,
                              .bandwidth_Bps = cases[i].bandwidth_Bps,
                              .bandwidth_at_bytes = 1,
                              .exponent = 1,
                              .nccl = { .generation = NCCL_AMPERE, .ll128 = true },
                              .rows = rows,
                              .nrows = 2 };
        int64_t ps = measured_collective_ps(&m, COLLECTIVE_ALLREDUCE, cases[i].among, cases[i].bytes);
        const char *as = measured_sent_as(&m, COLLECTIVE_ALLREDUCE, cases[i].among, cases[i].bytes);
        if (ps != cases[i].ns * 1000 || strcmp(as ? as : "-", cases[i].sent_as ? cases[i].sent_as : "-") != 0)
            fail_msg("%s: %lld ps, %s, not %lld ns, %s", cases[i].what, (long long)ps, as, (long long)cases[i].ns,
                     cases[i].sent_as);
    }
    struct measured plain = model();
    assert_null(measured_sent_as(&plain, COLLECTIVE_ALLREDUCE, &eight, 1));
}

static void refused(const struct measured *m, const char *want)
{
    struct collective_group six = { .ranks = 6, .machines = 1 };
    char why[512] = "";
    int rc = measured_check(m, why, sizeof(why));

    if (!rc)
        rc = measured_has(m, COLLECTIVE_ALLREDUCE, &six, why, sizeof(why));
    if (rc != E_INVAL || strncmp(why, want, strlen(want)) != 0)
        fail_msg("%d, '%s' does not begin with '%s'", rc, why, want);
    assert_int_equal(alone_ps(m, COLLECTIVE_ALLREDUCE, -1, 1), E_INVAL);
    assert_int_equal(alone_ps(m, COLLECTIVE_ALLREDUCE, 6, -1), E_INVAL);
}

/* A row: how the reason begins, and what spoils the model. */
#define REFUSED(want, ...)           \
    do {                             \
        struct measured m = model(); \
        __VA_ARGS__;                 \
        refused(&m, want);           \
    } while (0)

static void nonsense_is_refused_by_key(void **state)
{
    struct measured_row row = rows[0], pair[] = { rows[1], rows[0] };
    struct protocol p = two[0];

    (void)state;
    REFUSED("platform.collective.launch: expected 0 or more", m.launch_s = -1);
    REFUSED("platform.collective.floor: expected 0 or more", m.floor_s = -1);
    REFUSED("platform.collective.latency: expected 0 or more, got nan (a calibrated", m.latency_s = NAN);
    REFUSED("platform.collective.bandwidth: expected 0 or more", m.bandwidth_Bps = -1);
    REFUSED("platform.collective.bandwidth: expected a rate above 0, or platform.collective.table",
            m.bandwidth_Bps = 0);
    REFUSED("platform.collective.table: expected rows of all-reduce among 6 ranks", m.bandwidth_Bps = 0, m.rows = rows,
            m.nrows = COUNT(rows));
    REFUSED("platform.collective.exponent: expected a positive", m.exponent = 0);
    REFUSED("platform.collective.bandwidth_at: expected a positive", m.bandwidth_at_bytes = 0);
    REFUSED("platform.collective.protocols[0].latency", p.latency_ratio = -1, m.protocols = &p, m.nprotocols = 1);
    p = two[0];
    REFUSED("platform.collective.protocols[0].bandwidth", p.bandwidth_ratio = 0, m.protocols = &p, m.nprotocols = 1);
    p = two[0];
    REFUSED("platform.collective.protocols[0].most: expected at least the 2000000 B", p.least_bytes = 2 * MB,
            m.protocols = &p, m.nprotocols = 1);
    REFUSED("platform.collective.nccl.channels: expected 0 or more, got -1", m.nccl.channels = -1);
    REFUSED("platform.collective.exponent: expected 1 where nccl.generation", m.nccl.generation = NCCL_VOLTA,
            m.exponent = 0.9);
    p = two[0];
    REFUSED("platform.collective.protocols: expected none where nccl.generation", m.nccl.generation = NCCL_VOLTA,
            m.protocols = &p, m.nprotocols = 1);
    REFUSED("platform.collective.bandwidth: expected a rate above 0, or platform.collective.table (over PCIe",
            m.bandwidth_Bps = 0, m.nccl = (struct nccl){ .generation = NCCL_VOLTA, .link = NCCL_PCIE });
    REFUSED("platform.collective.table[0].time: expected more than 0", row.time_s = 0, m.rows = &row, m.nrows = 1);
    REFUSED("platform.collective.table[1].bytes: rows of one operation", m.rows = pair, m.nrows = 2);
}

/* Rows need no network, nor does the model of one's own figures. */
static void no_network_is_refused(void **state)
{
    static const struct collective_group two_machines = { .ranks = 4, .machines = 2 };
    struct measured m = model();
    char why[256] = "";

    (void)state;
    assert_int_equal(measured_has(&m, COLLECTIVE_ALLREDUCE, &two_machines, why, sizeof(why)), E_OK);
    m.nccl.generation = NCCL_HOPPER;
    assert_int_equal(measured_has(&m, COLLECTIVE_ALLREDUCE, &two_machines, why, sizeof(why)), E_INVAL);
    assert_int_equal(strncmp(why, "platform.network.link: ", 23), 0);
    assert_int_equal(measured_collective_ps(&m, COLLECTIVE_ALLREDUCE, &two_machines, 1), E_INVAL);
    m.rows = rows;
    m.nrows = 1;
    assert_int_equal(measured_has(&m, COLLECTIVE_ALLREDUCE, &two_machines, why, sizeof(why)), E_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_by_hand),
        cmocka_unit_test(limits),
        cmocka_unit_test(the_bus_bandwidth_is_what_was_given),
        cmocka_unit_test(nccl_chooses),
        cmocka_unit_test(no_network_is_refused),
        cmocka_unit_test(nonsense_is_refused_by_key),
    };

    return cmocka_run_group_tests_name("measured collectives", tests, NULL, NULL);
}
