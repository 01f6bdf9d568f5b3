/* NCCL's own choice and time, by hand: each algorithm and protocol, where one follows another, and each generation. */
#include <math.h>
#include <string.h>

#include "sim/collective/nccl.h"
#include "tests/test.h"

enum { MB = 1000000 };

#define SUM COLLECTIVE_ALLREDUCE
#define GATHER COLLECTIVE_ALLGATHER

/* How a case ends: its links, channels and protocols, and what a NIC adds. */
#define PLAIN { .ll128 = true }, 0
#define CHANNELS(n, also) { .channels = (n), .ll128 = (also) }, 0
#define NIC(us, also) { .ll128 = (also) }, (us)
#define OVER_PCIE { .link = NCCL_PCIE, .ll128 = true }, 0
#define NO_LL128 { .ll128 = false }, 0

struct choice_case {
    const char *what;
    enum nccl_generation generation;
    enum collective_operation operation;
    int64_t ranks, machines;
    double bus_GBps;
    int64_t bytes;
    const char *name;
    double us;
    struct nccl with; /* its link, channels and ll128 */
    double network_us;
};

static void check(const struct choice_case *c)
{
    struct nccl n = c->with;
    struct nccl_call call = { c->operation, c->ranks, c->machines, c->bytes, c->bus_GBps * 1e9, c->network_us / 1e6 };
    n.generation = c->generation;
    struct nccl_choice got = nccl_choose(&n, &call);

    if (strcmp(got.name, c->name) != 0 || fabs(got.time_s * 1e6 - c->us) > 1e-6)
        fail_msg("%s: %s, %.9g us, not %s, %.9g us", c->what, got.name, got.time_s * 1e6, c->name, c->us);
}

/* Of 8 ranks a ring's all-reduce has 14 steps, and moves 7/4 of the bytes: 100 GB/s from a bus of 175. */
static void within_a_machine(void **state)
{
    static const struct choice_case cases[] = {
        { "6.6 + 14 x 0.6", NCCL_AMPERE, SUM, 8, 1, 175, 0, "ring-LL", 15, PLAIN },
        { "2 ranks: 39 GB/s at most", NCCL_VOLTA, SUM, 2, 1, 175, 39000, "ring-LL", 7.8 + 1, PLAIN },
        { "half of the bus, if that is less", NCCL_VOLTA, SUM, 2, 1, 40, 20000, "ring-LL", 7.8 + 1, PLAIN },
        { "87.7 with Ampere", NCCL_AMPERE, SUM, 2, 1, 400, 87700, "ring-LL", 7.8 + 1, PLAIN },
        { "141 with Hopper", NCCL_HOPPER, SUM, 2, 1, 400, 141000, "ring-LL", 7.8 + 1, PLAIN },
        { "282 with Blackwell", NCCL_BLACKWELL, SUM, 2, 1, 800, 282000, "ring-LL", 7.8 + 1, PLAIN },
        { "40.6, 0.92 of the rate", NCCL_AMPERE, SUM, 8, 1, 175, 9200000, "ring-LL128", 140.6, PLAIN },
        { "before 17.71 MB", NCCL_AMPERE, SUM, 8, 1, 175, 17664000, "ring-LL128", 40.6 + 192, PLAIN },
        { "after it", NCCL_AMPERE, SUM, 8, 1, 175, 17800000, "ring-Simple", 56 + 178, PLAIN },
        { "6 channels of 20 GB/s", NCCL_VOLTA, SUM, 8, 1, 140, 4 * MB, "ring-LL128", 40.6 + 4e3 / (120 * 4. / 7),
          PLAIN },
        { "4 channels of 36.7", NCCL_HOPPER, SUM, 8, 1, 175, 4 * MB, "ring-LL128", 40.6 + 4e3 / (4 * 36.7 * 4 / 7),
          CHANNELS(4, true) },
        { "Simple has all of it", NCCL_AMPERE, SUM, 8, 1, 175, 100 * MB, "ring-Simple", 1056, PLAIN },
        { "without LL128", NCCL_AMPERE, SUM, 8, 1, 175, 9200000, "ring-Simple", 56 + 92, NO_LL128 },
        { "7 steps, 200 GB/s", NCCL_AMPERE, GATHER, 8, 1, 175, 200 * MB, "ring-Simple", 8.4 + 7 * 3.4 + 1000, PLAIN },
        { "as many", NCCL_AMPERE, COLLECTIVE_REDUCE_SCATTER, 8, 1, 175, 0, "ring-LL", 6.6 + 7 * 0.6, PLAIN },
        { "one step, all of the bus", NCCL_AMPERE, COLLECTIVE_BROADCAST, 8, 1, 175, 175 * MB, "ring-Simple",
          8.4 + 3.4 + 1000, PLAIN },
        { "a tree in a rack: 2 x 71 x 1.25; 7/9 of 662.4 GB/s, 0.9 of it by size", NCCL_BLACKWELL, SUM, 72, 1, 720,
          40 * MB, "tree-LL128", 191.5 + 40e3 / (662.4 * 7 / 9 / 2 * 0.9), PLAIN },
        { "PCIe: 6 steps of 1 us", NCCL_AMPERE, SUM, 4, 1, 12, 40000, "ring-LL", 12.6 + 10, OVER_PCIE },
        { "6 of 5.7, never LL128", NCCL_AMPERE, SUM, 4, 1, 12, 80 * MB, "ring-Simple", 42.6 + 10000, OVER_PCIE },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        check(&cases[i]);
}

/* 8 machines of 8: a tree goes 7 ranks along and 3 levels down, and back. Its bus of 184 GB/s gives half. */
static void over_machines(void **state)
{
    static const double ring_us = 8.4 + 28 * 3.4 + 2 * 14; /* 2 machines of 8 */
    static const struct choice_case cases[] = {
        { "6.8 + 2 (7 x 0.6 + 3 x 5)", NCCL_AMPERE, SUM, 64, 8, 200, 0, "tree-LL", 45.2, PLAIN },
        { "20.4 / 2 GB/s", NCCL_AMPERE, SUM, 64, 8, 200, 102, "tree-LL", 45.21, PLAIN },
        { "86.25 GB/s, 0.8 of it", NCCL_AMPERE, SUM, 64, 8, 200, 4830000, "tree-LL128", 82.5 + 70, PLAIN },
        { "0.6 of it below 4 MiB", NCCL_AMPERE, SUM, 64, 8, 200, 4140000, "tree-LL128", 82.5 + 80, PLAIN },
        { "0.7 of 92 GB/s", NCCL_AMPERE, SUM, 64, 8, 200, 4830000, "tree-Simple", 148.4 + 75, NO_LL128 },
        { "a NIC's 2 us, 6 times", NCCL_AMPERE, SUM, 64, 8, 200, 0, "tree-LL", 57.2, NIC(2, true) },
        { "and twice each", NCCL_AMPERE, SUM, 64, 8, 200, 4830000, "tree-Simple", 148.4 + 24 + 75, NIC(2, false) },
        { "4 channels of 17.8", NCCL_AMPERE, SUM, 64, 8, 200, 4830000, "tree-Simple", 148.4 + 4830 / (4 * 8.9 * 0.7),
          CHANNELS(4, false) },
        { "4 of Volta's 10", NCCL_VOLTA, SUM, 64, 8, 200, 4830000, "tree-Simple", 148.4 + 4830 / (20 * 0.7),
          CHANNELS(4, false) },
        { "4 of Hopper's 36", NCCL_HOPPER, SUM, 64, 8, 200, 4830000, "tree-Simple", 148.4 + 4830 / (72 * 0.7),
          CHANNELS(4, false) },
        { "4 of Blackwell's 24", NCCL_BLACKWELL, SUM, 64, 8, 200, 4830000, "tree-Simple", 148.4 + 4830 / (48 * 0.7),
          CHANNELS(4, false) },
        { "34.96 / 3.8 / 2 GB/s, if that is less", NCCL_AMPERE, SUM, 64, 8, 38, 46, "tree-LL", 45.21, PLAIN },
        { "levels of 9 machines: 3", NCCL_AMPERE, SUM, 72, 9, 200, 0, "tree-LL", 45.2, PLAIN },
        { "30 steps, 2 over NICs; 1.4 of it", NCCL_AMPERE, SUM, 16, 2, 200, 3200000000, "ring-Simple",
          1.4 * ring_us + 30000, PLAIN },
        { "Volta: 1.9", NCCL_VOLTA, SUM, 16, 2, 200, 3200000000, "ring-Simple", 1.9 * ring_us + 30000, PLAIN },
        { "14 steps within, one over a NIC", NCCL_AMPERE, GATHER, 16, 2, 187.5, 200 * MB, "ring-Simple",
          8.4 + 14 * 3.4 + 14 + 1000, NO_LL128 },
        { "1 us a post, not 0.6", NCCL_AMPERE, GATHER, 16, 2, 200, 0, "ring-LL", 6.6 + 14 * 1 + 2.7, PLAIN },
        { "alone on each: 3 x 5", NCCL_AMPERE, GATHER, 4, 4, 200, 0, "ring-LL", 21.6, PLAIN },
        { "one step over a NIC", NCCL_AMPERE, COLLECTIVE_BROADCAST, 16, 2, 200, 0, "ring-LL", 6.6 + 2.7, PLAIN },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        check(&cases[i]);
}

static void nvlinks_of_a_gpu(void **state)
{
    static const struct {
        struct nccl n;
        double GBps;
    } cases[] = { { { .generation = NCCL_VOLTA }, 120 },
                  { { .generation = NCCL_AMPERE, .channels = 3 }, 240 },
                  { { .generation = NCCL_HOPPER }, 370.8 },
                  { { .generation = NCCL_BLACKWELL }, 721.8 },
                  { { .generation = NCCL_BLACKWELL, .link = NCCL_PCIE }, 0 } };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_true(fabs(nccl_nvlink_Bps(&cases[i].n) / 1e9 - cases[i].GBps) < 1e-9);
}

/* The choice is the least of some lines: until a tree's correction changes, more bytes never take less time. */
static void more_bytes_take_longer(void **state)
{
    (void)state;
    for (int64_t size = 64; size < (int64_t)1 << 34; size *= 2) {
        double before = 0;
        for (int64_t bytes = size; bytes < 2 * size; bytes += size / 16) {
            struct nccl n = { .generation = NCCL_HOPPER, .ll128 = true };
            struct nccl_call call = { SUM, 128, 16, bytes, 380e9, 0 };
            double s = nccl_choose(&n, &call).time_s;
            assert_true(s > before);
            before = s;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(within_a_machine),
        cmocka_unit_test(over_machines),
        cmocka_unit_test(nvlinks_of_a_gpu),
        cmocka_unit_test(more_bytes_take_longer),
    };

    return cmocka_run_group_tests_name("NCCL's choice", tests, NULL, NULL);
}
